import { inLanguage, type PublicRepository } from './public-repository.ts'

const go = inLanguage('go')
const rust = inLanguage('rust')
const java = inLanguage('java')
const c = inLanguage('c')

const ctest = (folder: string) =>
  `cmake -S ${folder} -B /tmp/own && cmake --build /tmp/own && ctest --test-dir /tmp/own --output-on-failure`
const meson = (options = '') => `meson setup ${options}/tmp/own && meson test -C /tmp/own`

export const compiledRepositories: readonly PublicRepository[] = [
  go('spf13/cobra@adbc8813901bba65827259daa8e22ff94ec1f30e', 'Go with a Makefile', ['.'], 'go test ./...'),
  go(
    'uber-go/zap@5b81b37b81b8e2ed447a6f57991e372ee4fa5c8f',
    'Go with a Makefile and modules in folders',
    ['zapcore', 'buffer', 'exp'],
    'go test ./... && (cd exp && go test ./...)',
  ),
  go(
    'lib/pq@f4654a41a62bc974ea825de270c44f577721205e',
    'Go, compose with PostgreSQL',
    ['internal', 'scram'],
    // The other packages need a database.
    'go test ./internal/... ./scram',
  ),
  go(
    'prometheus/client_golang@89c60c0554699c74fa3d4eec472b98a3108905e3',
    'Go with a Makefile and modules in folders',
    ['prometheus'],
    'go test ./...',
  ),
  rust(
    'BurntSushi/rust-csv@4a3997e91d668ea1d8595bdef15625a77cf2308a',
    'Rust, a root package and a workspace',
    ['src', 'csv-core/src', 'csv-index/src'],
    'cargo test --offline --workspace',
  ),
  rust(
    'dtolnay/thiserror@aa9d91f75302025e0c1d4c535d84a5bfdad62508',
    'Rust, a root package and a workspace, a macro',
    ['impl/src', 'src'],
    'cargo test --offline --workspace --exclude thiserror_no_std_test',
  ),
  rust(
    'sharkdp/hyperfine@327d5f4d9107141929f67f062bf9ef59f98b7399',
    'Rust, a program',
    ['src'],
    'cargo test --offline',
  ),
  rust(
    'sharkdp/fd@ee20f426ddf338ac7ead5c5f00ea49258005caaf',
    'Rust, a program with tests of its own in tests/',
    ['src'],
    'cargo test --offline',
  ),
  java(
    'google/gson@9835b6f90192f79cdf5300c528fc6212455fb6c1',
    'Maven with modules, JPMS',
    ['gson/src/main'],
    'mvn -B -q -o -pl gson test',
  ),
  java(
    'qos-ch/slf4j@902b46395728eff3cec405504a8b4fe43ff9b347',
    'Maven with modules',
    ['slf4j-api/src/main', 'slf4j-simple/src/main'],
    'mvn -B -q -o -pl parent,slf4j-api,slf4j-simple -am test',
  ),
  java('jhy/jsoup@46b620860af930eedc193a705eaf7cea5aec89a6', 'Maven', ['src/main'], 'mvn -B -q -o test'),
  java(
    'junit-pioneer/junit-pioneer@062ce51296dab909119fd6c9f090b9d6a2982530',
    'Gradle, Kotlin DSL, a wrapper',
    ['src/main'],
    'sh ./gradlew --offline test',
    'services.gradle.org',
  ),
  java(
    'apache/commons-io@d83aeb6f4774aee75d857b29fb6cd89132c9a91b',
    'Maven, a parent that is elsewhere',
    ['src/main'],
    'mvn -B -q -o test',
  ),
  c('jarro2783/cxxopts@a3a21b31ef2894b5a802f041f40d51059469a259', 'CMake with CTest', ['include'], ctest('.')),
  c(
    'leethomason/tinyxml2@3dcad8e3c38e7091ae3771bf63020027f91715ce',
    'CMake with CTest beside a Makefile',
    ['tinyxml2.cpp'],
    ctest('.'),
  ),
  c('benhoyt/inih@26254ee9de7681f8825433415443e7116ff24b98', 'Meson', ['ini.c'], meson()),
  c(
    'akheron/jansson@a8b3c5999e752d895030360c553ba66fa6630ed0',
    'CMake with CTest, an option that leaves the tests out',
    ['src'],
    ctest('.'),
  ),
  c('zserge/jsmn@25647e692c7906b96ffd2b05ca54c097948e879c', 'C with a Makefile alone', ['jsmn.h'], 'make test'),
  c(
    'GNOME/json-glib@0be776ddbbf783fa4e350c786c4d4ac60c92ec76',
    'Meson, with libraries of Debian',
    ['json-glib'],
    meson(),
  ),
  go(
    'gorilla/mux@db9d1d0073d27a0a2d9a8c1bc52aa0af4374d265',
    'Go with a Makefile, nothing to download',
    ['.'],
    'go test ./...',
  ),
  go(
    'prometheus/common@d2417e2cbb82c4c81e4d28d55f354058169a9f08',
    'Go with a Makefile and modules in folders',
    ['model', 'expfmt', 'config'],
    'go test ./model/... ./expfmt/... ./config/...',
  ),
  rust(
    'rust-itertools/itertools@af6d17d3f4a963c087e81b327b957966e1169ff5',
    'Rust, a library',
    ['src'],
    'cargo test --offline',
  ),
  java(
    'apache/commons-codec@8dcd16b7d13ef1a78e325d458830ead890fe82ac',
    'Maven, a parent that is elsewhere',
    ['src/main'],
    'mvn -B -q -o test',
  ),
  c(
    'commonmark/cmark@54b2be567c735162d8d84125200cfda032073b1a',
    'CMake with CTest, tests in Python, a Makefile beside it',
    ['src'],
    ctest('.'),
  ),
  c(
    'orangeduck/mpc@1049534fc56b1971345c7aaa792dea55d6f9b7bc',
    'C with a Makefile, make check',
    ['mpc.c'],
    'make check',
  ),
  c(
    'pkgconf/pkgconf@12bb17ad53d6783f866d2d3c4bfa8307732d3f9e',
    'Meson, tests that a program of its own runs',
    ['libpkgconf'],
    meson(),
  ),
  c(
    'marzer/tomlplusplus@1e8829b793b66ad17011732a146b8077d379b011',
    'Meson, an option that leaves the tests out',
    ['include'],
    meson('-Dbuild_tests=true '),
  ),
  c(
    'libexpat/libexpat@1185697878a3b09cada8e89f847a4c8315cd7ddc',
    'CMake with CTest in a folder, Autotools beside it',
    ['expat/lib'],
    ctest('expat'),
  ),
]
