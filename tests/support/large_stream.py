# SPDX-License-Identifier: Apache-2.0
"""Makes a large stream of a small one: its records again and again, each time with other ids.

    python3 tests/support/large_stream.py run.jsonl large.jsonl 1000000
    python3 tests/support/large_stream.py run.jsonl shard-{}.jsonl 1000000 --shards 4
"""

import argparse
import json


def read(path):
    """Header, records and end, each as its line."""
    with open(path, encoding="utf-8") as lines:
        header, *records, end = lines.read().splitlines()
    return header, records, end


def line_of(one):
    return json.dumps(one, ensure_ascii=False, separators=(",", ":")) + "\n"


def copies(records, first, last):
    """Lines of the records with these numbers; a record's id ends in the number of its copy."""
    ids = [json.dumps(json.loads(line)["id"], ensure_ascii=False)[:-1] for line in records]
    for number in range(first, last):
        copy, place = divmod(number, len(records))
        begin = ids[place]
        yield records[place].replace(begin + '"', f'{begin}-{copy}"', 1) + "\n"


def write(small, path, first, last, **fields):
    """Writes the records from `first` to before `last` as a stream of their own; `fields` go into its
    header."""
    header, records, end = read(small)
    run = json.loads(header).get("run", "") + fields.get("shard", "")
    with open(path, "w", encoding="utf-8") as out:
        out.write(line_of({**json.loads(header), "planned": last - first, "run": run, **fields}))
        out.writelines(copies(records, first, last))
        out.write(line_of({**json.loads(end), "records": last - first}))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("small")
    parser.add_argument("large")
    parser.add_argument("records", type=int)
    parser.add_argument("--shards", type=int, default=0)
    given = parser.parse_args()
    if given.shards == 0:
        write(given.small, given.large, 0, given.records)
    for index in range(given.shards):
        part = [given.records * i // given.shards for i in (index, index + 1)]
        write(given.small, given.large.format(index + 1), *part, shard=f"{index + 1}/{given.shards}")


if __name__ == "__main__":
    main()
