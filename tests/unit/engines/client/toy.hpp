// SPDX-License-Identifier: Apache-2.0
// A framework to install that needs no network.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "scatterproof/engines/registry/install.hpp"
#include "scatterproof/engines/registry/registry.hpp"

namespace scatterproof::engines::testing {

namespace fs = std::filesystem;

// Releases before 2.0 import `helper`, which their metadata does not mention.
inline const char* const manifest =
    "name: toy\ndescription: a toy\nframework: toy\npackages: [toy==1.0, colour==1.0]\n"
    "older: [{before: '2.0', packages: [helper==1.0]}]\nmegabytes: {fetched: 3, installed: 40}\n";

inline const char* const worker = R"(
import json, os, socket, toy
channel = socket.socket(fileno=int(os.environ["SCATTERPROOF_WORKER_FD"])).makefile("rwb")
for line in channel:
    message = json.loads(line)
    start = {"protocol": 1, "name": "toy", "version": toy.version, "device": "cpu", "apis": [], "dtypes": ["f32"]}
    ok = {"start": start, "run": {"answered": 0}, "stop": {}}[message["command"]]
    channel.write(json.dumps({"seq": message["seq"], "ok": ok}).encode() + b"\n")
    channel.flush()
    if message["command"] == "stop":
        break
)";

// toy in four releases: 3.0 imports a missing package and 4.0 needs another colour than colour 1.0.
inline const char* const wheels = R"(
import sys, zipfile

def wheel(name, version, text, needs=""):
    with zipfile.ZipFile(f"{sys.argv[1]}/{name}-{version}-py3-none-any.whl", "w") as file:
        info = f"{name}-{version}.dist-info/"
        file.writestr(f"{name}.py", text)
        file.writestr(info + "METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needs}")
        file.writestr(info + "WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        file.writestr(info + "RECORD", "")

wheel("toy", "1.0", "import helper; version = '1.0'")
wheel("toy", "2.0", "version = '2.0'")
wheel("toy", "3.0", "import nobody; version = '3.0'")
wheel("toy", "4.0", "version = '4.0'", "Requires-Dist: colour>1\n")
wheel("helper", "1.0", "")
wheel("colour", "1.0", "")
wheel("colour", "2.0", "")
)";

/// A data folder with one framework, `toy`, whose packages are in the same folder.
class Toy : public ::testing::Test {
 protected:
  Toy() {
    std::string name = (fs::temp_directory_path() / "scatterproof-toy-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
    root = name;
    places = {(root / "data").string(), (root / "engines").string()};
    fs::create_directories(root / "data/engines/workers/toy");
    write("data/engines/workers/toy/engine.yaml", manifest);
    write("data/engines/workers/toy/worker.py", worker);
    write("wheels.py", wheels);
    const std::string command = "python3 '" + (root / "wheels.py").string() + "' '" + root.string() + "'";
    if (std::system(command.c_str()) != 0) throw std::runtime_error("cannot make the wheels");
  }
  ~Toy() override { fs::remove_all(root); }

  void write(const fs::path& name, const std::string& text) const { std::ofstream(root / name) << text; }
  /// The names in the folder of the environments.
  std::vector<std::string> left() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(places.engines)) names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return names;
  }
  InstallRequest request(const std::string& engine) const {
    return {.engine = engine, .words = {"--no-index", "--find-links", root.string()}};
  }

  fs::path root;
  Places places;
};

}  // namespace scatterproof::engines::testing
