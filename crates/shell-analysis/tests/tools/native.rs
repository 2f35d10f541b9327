//! Build tools and compilers, and the languages of virtual machines.

use super::support::{acts, has, hazards, not_known, reports, reports_if_trusted};

#[test]
fn native() {
    reports(&[
        "gcc --version",
        "clang -v",
        "cmake --version",
        "make --version",
        "ninja --version",
        "pkg-config --libs --cflags x",
        "clang-format --dry-run a.c",
        "clang-format a.c",
        "protoc --version",
        "zig version",
        "meson introspect build --targets",
    ]);
    acts(&[
        "make",
        "make -n",
        "make --version x",
        "cmake -B build",
        "cmake --build build",
        "cmake -E rm -rf x",
        "cmake -P x.cmake",
        "ctest",
        "ninja",
        "ninja -C build",
        "meson setup build",
        "bazel query //...",
        "just --list",
        "just build",
        "gcc a.c",
        "gcc -c a.c -o a.o",
        "gcc -fplugin=x a.c",
        "gcc @args",
        "objcopy a b",
        "ld -o x a.o",
        "clang-format -i a.c",
        "clang-tidy a.c",
        "protoc --go_out=. a.proto",
    ]);
    has(&[
        ("gcc -Wall -O2 -o bin/x a.c", &["read:/repo/a.c", "write:/repo/bin/x", "opaque"]),
        ("gcc -obin/x a.c", &["write:/repo/bin/x"]),
        ("cmake --build build", &["run", "write:/repo/build/..."]),
        ("objcopy a b", &["read:/repo/a", "write:/repo/b"]),
        ("clang-format -i a.c", &["read:/repo/a.c", "write:/repo/a.c"]),
        ("protoc --go_out=gen a.proto", &["read:/repo/a.proto", "write:/repo/gen/..."]),
    ]);
    hazards(&[
        ("gcc -fplugin=x a.c", 1),
        ("gcc -B x a.c", 1),
        ("make SHELL=x", 1),
        ("make -C /evil", 1),
        ("cmake -P x", 1),
    ]);
    not_known(&["gcc --frob a.c", "clang-format --frob a.c"]);
}

#[test]
fn languages() {
    reports_if_trusted(&[
        "gem --version",
        "gem list",
        "java -version",
        "java --version",
        "javac -version",
        "jar tf x.jar",
        "jar -tf x.jar",
        "mvn -v",
        "mvn --version",
        "gradle --version",
        "bundle --version",
        "composer --version",
        "dotnet --info",
        "dotnet --list-sdks",
        "mise --version",
    ]);
    acts(&[
        "java x",
        "java -jar x.jar",
        "javac A.java",
        "jar xf x.jar",
        "jar cf x.jar a",
        "mvn test",
        "mvn -f /evil/pom.xml -v",
        "gradle tasks",
        "gradle -p /evil --version",
        "gradle build",
        "sbt test",
        "gem install x",
        "gem list -r",
        "gem environment",
        "bundle install",
        "bundle list",
        "rake -T",
        "rails console",
        "rspec",
        "composer install",
        "composer show",
        "dotnet build",
        "dotnet test",
        "mix test",
        "flutter run",
        "dart format .",
        "asdf current",
        "mise install",
        "jps",
    ]);
    has(&[
        ("javac -d out A.java", &["run", "read:/repo/A.java", "write:/repo/out/..."]),
        ("mvn package", &["run", "write:/repo/target/..."]),
        ("gradle build", &["run", "write:/repo/build/..."]),
        ("bundle install", &["run", "net", "write:/repo/Gemfile.lock"]),
        ("composer require x", &["run", "net", "write:/repo/composer.json", "write:/repo/vendor/..."]),
    ]);
    hazards(&[
        ("mvn -s x test", 1),
        ("gradle -I x build", 1),
        ("gradle --init-script=x build", 1),
        ("javac -processorpath x A.java", 1),
    ]);
}
