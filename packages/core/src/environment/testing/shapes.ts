import { javascript } from './javascript-shapes.ts'
import { pythonShapes } from './python-shapes.ts'
import { json, shape, steps, vitest, type Shape } from './shape.ts'

export type { Shape } from './shape.ts'

const python = [
  ...pythonShapes,
  shape('a dashboard in it', {
    'requirements.txt': 'django\n',
    'package.json': json({ scripts: { build: 'vite build' }, devDependencies: { vite: '6' } }),
    'tests/test_x.py': '',
  }),
]

const compiled = [
  shape('a Go module', { 'go.mod': 'module x\n\ngo 1.22\n' }),
  shape('a Go module with a toolchain and a Makefile', {
    'go.mod': 'module x\n\ngo 1.23.0\n\ntoolchain go1.23.4\n',
    Makefile: '.PHONY: test\ntest:\n\tgo test ./...\nlint:\n\tgolangci-lint run\n',
  }),
  shape('Go in a folder', { 'README.md': '', 'server/go.mod': 'module x\n\ngo 1.24\n' }),
  shape('a Go workspace', {
    'go.work': 'go 1.24\n\nuse ./a\nuse ./b\n',
    'a/go.mod': 'module a\n',
    'b/go.mod': 'module b\n',
  }),
  shape('a Rust crate', { 'Cargo.toml': '[package]\nname = "x"\nrust-version = "1.74"\n', 'Cargo.lock': '' }),
  shape('Rust by channel', {
    'Cargo.toml': '[workspace]\n',
    'rust-toolchain.toml': '[toolchain]\nchannel = "1.82.0"\n',
  }),
  shape('Rust at night', { 'Cargo.toml': '[package]\n', 'rust-toolchain': 'nightly-2025-01-01\n' }),
  shape('C with make', { Makefile: 'all: x.o\n\tcc -o x x.o\ncheck: all\n\t./x --self-test\n' }),
  shape('C with make and tests', { Makefile: 'test: all\n\tprove t\n' }),
  shape('CMake without tests', { 'CMakeLists.txt': 'project(x C)\n', 'x.c': '' }),
  shape('CMake beside a Makefile that tests little', {
    'CMakeLists.txt':
      'cmake_minimum_required(VERSION 3.16...3.28)\nproject(x CXX)\noption(X_BUILD_TESTS "Tests" OFF)\nadd_subdirectory(test)\n',
    'test/CMakeLists.txt': 'add_test(NAME one COMMAND x)\n',
    'src/x.cpp': '',
    Makefile: 'test:\n\t./smoke\n',
  }),
  shape('CMake with the tests in a folder, and a folder that is called build', {
    'CMakeLists.txt': 'project(x C)\n# enable_testing()\n',
    'tests/CMakeLists.txt': 'enable_testing()\n',
    'third_party/y/CMakeLists.txt': 'enable_testing()\n',
    'build/notes.txt': '',
    'x.c': '',
  }),
  shape('Meson', {
    'meson.build': "project('x', 'c',\n  meson_version: '>= 1.3.0')\nsubdir('t')\n",
    't/meson.build': "test('one', exe)\n",
    'meson_options.txt':
      "option('docs', type : 'boolean', value : true, description : 'Build documents')\noption('bin', type : 'boolean')\n",
    't/t.c': '',
  }),
  shape('CMake and Autotools for the same', {
    'CMakeLists.txt': 'project(x C)\nenable_testing()\n',
    'configure.ac': '',
    'Makefile.am': 'TESTS = x\n',
    'x.c': '',
  }),
  shape('Autotools', {
    'configure.ac': '',
    'Makefile.am': 'SUBDIRS = t\n',
    't/Makefile.am': 'TESTS = x\n',
    'src/x.c': '',
  }),
  shape('Autoconf with a Makefile of its own', { 'configure.ac': '', 'Makefile.in': 'all:\ntest: all\n', 'x.c': '' }),
  shape('Swift', {
    'Package.swift': '// swift-tools-version:5.9\n',
    'Tests/KitTests/T.swift': '',
  }),
  shape('Zig', {
    'build.zig': 'pub fn build(b: *std.Build) void {\n    _ = b.step("test", "Run tests");\n}\n',
    'build.zig.zon': '.{\n    .minimum_zig_version = "0.14.0",\n}\n',
  }),
  shape('Haskell', { 'x.cabal': 'name: x\ntest-suite all\n', 'tests/XSpec.hs': '' }),
  shape('OCaml', { 'dune-project': '(lang dune 3.0)\n', 'x.opam': '', 'test/test_x.ml': '' }),
  shape('Dart', { 'pubspec.yaml': 'name: x\nenvironment:\n  sdk: ^3.5.0\n', 'test/x_test.dart': '' }),
]

const virtual = [
  shape('Maven', {
    'pom.xml': '<project><properties>\n<maven.compiler.release>17</maven.compiler.release>\n</properties></project>',
  }),
  shape('Maven, wrapped, for Spring', {
    'pom.xml': '<project><properties>\n<java.version>21</java.version>\n</properties></project>',
    mvnw: '',
    '.mvn/wrapper/maven-wrapper.properties': 'distributionUrl=https://repo.example.org/apache-maven-3.9.9-bin.zip\n',
  }),
  shape('Gradle in Kotlin', {
    'build.gradle.kts': 'plugins { java }\nkotlin { jvmToolchain(21) }\n',
    'settings.gradle.kts': '',
    gradlew: '',
    'gradle/wrapper/gradle-wrapper.jar': '',
    'gradle/wrapper/gradle-wrapper.properties': 'distributionUrl=https\\://services.example.org/gradle-8.10-bin.zip\n',
  }),
  shape('Maven with modules, and Java that only its CI names', {
    'pom.xml':
      '<project><modules><module>a</module></modules><properties>\n<maven.compiler.release>8</maven.compiler.release>\n</properties></project>',
    '.github/workflows/build.yml': steps(
      '{ uses: actions/setup-java@v4, with: { java-version: 21 } }',
      'run: mvn verify',
    ),
  }),
  shape('Maven with tests that Failsafe runs, which are not in the phase of the others', {
    'pom.xml':
      '<project><plugin><artifactId>maven-failsafe-plugin</artifactId><goals><goal>integration-test</goal><goal>verify</goal></goals></plugin></project>',
    'src/test/java/x/ConnectIT.java': '',
  }),
  shape('Maven whose enforcer wants more than its sources', {
    'pom.xml':
      '<project><properties>\n<java.version>11</java.version>\n</properties>\n<requireJavaVersion>\n<version>[21,)</version></requireJavaVersion></project>',
  }),
  shape('Gradle whose wrapper is not whole', { 'build.gradle.kts': 'plugins { java }\n', gradlew: '' }),
  shape('Gradle with a tool that has a Java of its own', {
    'build.gradle.kts':
      'java {\n  toolchain {\n    languageVersion = JavaLanguageVersion.of(17)\n  }\n}\ntasks.test { javaLauncher = javaToolchains.launcherFor { languageVersion = JavaLanguageVersion.of(25) } }\n',
    gradlew: '',
    'gradle/wrapper/gradle-wrapper.jar': '',
  }),
  shape('Scala', { 'build.sbt': '', 'src/test/scala/x/XSuite.scala': '' }),
  shape('Clojure', { 'project.clj': '', 'test/x_test.clj': '' }),
  shape('Gradle, old', { 'build.gradle': 'sourceCompatibility = JavaVersion.VERSION_1_8\n', gradlew: '' }),
  shape('.NET', {
    'App.sln': '',
    'global.json': json({ sdk: { version: '8.0.401', rollForward: 'latestFeature' } }),
    'src/App.csproj': '<TargetFramework>net8.0</TargetFramework>',
  }),
  shape('one project of F#', { 'x.fsproj': '<TargetFramework>net9.0</TargetFramework>' }),
]

const scripting = [
  shape('a gem', {
    Gemfile: 'gemspec\n',
    'x.gemspec': 's.required_ruby_version = ">= 3.1"\ns.add_development_dependency "rspec"\n',
  }),
  shape('Minitest without Rake', { Gemfile: 'gem "minitest"\n', 'test/x_test.rb': '' }),
  shape('the gems of documents', { 'package.json': json(vitest), Gemfile: 'gem "jekyll"\n' }),
  shape('Rails', {
    Gemfile: 'ruby "3.3.6"\ngem "rails"\n',
    'bin/rails': '',
    '.ruby-version': '3.3.6\n',
    '.rubocop.yml': '',
  }),
  shape('PHP', {
    'composer.json': json({ require: { php: '>=8.1' }, scripts: { test: 'phpunit' } }),
    'phpunit.xml.dist': '',
  }),
  shape('PHPUnit without a file of its own', {
    'composer.json': json({ 'require-dev': { 'phpunit/phpunit': '^11' } }),
    'tests/XTest.php': '',
  }),
  shape('Elixir', { 'mix.exs': 'def project do\n  [\n    elixir: "~> 1.16",\n  ]\n', '.formatter.exs': '' }),
  shape('C++ with make', { Makefile: 'test: run\n\t./run\n', 'run.cpp': '', 'CMakeLists.txt': '' }),
  shape('a Makefile that calls a compiler', { Makefile: 'check:\n\t$(CC) src/a.c -o a && ./a\n' }),
  shape('Perl', { 'Makefile.PL': '', 't/x.t': '' }),
  shape('a justfile', { justfile: 'test:\n  prove\nlint:\n  shellcheck *.sh\n' }),
  shape('asdf with three tools', {
    '.tool-versions': 'erlang 27.1\nelixir 1.17.3-otp-27\nnodejs 22.9.0\n',
    'mix.exs': '',
  }),
  shape('mise', { 'mise.toml': '[tools]\ngo = "1.24"\n', 'go.mod': 'module x\n\ngo 1.21\n' }),
]

const surrounded = [
  shape('only a workflow', {
    '.github/workflows/ci.yml': steps(
      '{ uses: actions/setup-python@v5, with: { python-version: "3.12" } }',
      'run: pip install -e .',
      'run: pytest -q',
    ),
  }),
  shape('what GitHub’s agent is set up with', {
    'requirements.txt': '',
    '.github/workflows/copilot-setup-steps.yml': steps(
      '{ uses: actions/setup-node@v4, with: { node-version: 20 } }',
      'run: npm ci',
    ),
  }),
  shape('tests that need PostgreSQL', {
    'go.mod': 'module x\n\ngo 1.24\n',
    '.github/workflows/test.yml': `jobs:\n  test:\n    services:\n      postgres:\n        image: postgres:16\n        env: { POSTGRES_PASSWORD: x }\n    steps:\n      - run: go test ./...\n`,
  }),
  shape('a devcontainer with an image', {
    'package.json': json(vitest),
    'package-lock.json': '{}',
    '.devcontainer/devcontainer.json':
      '{\n  // ours\n  "image": "mcr.microsoft.com/devcontainers/javascript-node:20",\n  "postCreateCommand": "npm ci"\n}',
  }),
  shape('a devcontainer with a Dockerfile', {
    'go.mod': 'module x\n',
    '.devcontainer/devcontainer.json': json({ build: { dockerfile: 'Dockerfile', context: '..' } }),
  }),
  shape('a devcontainer with an image of its own and features', {
    'go.mod': 'module x\n',
    '.devcontainer/devcontainer.json': json({
      image: 'example.org/dev:3',
      features: {
        'ghcr.io/devcontainers/features/node:1': { version: '20' },
        'ghcr.io/devcontainers/features/python:1': {},
        'ghcr.io/devcontainers/features/docker-in-docker:2': {},
        './tool': { flavour: 'plain' },
      },
      containerEnv: { MODE: 'test' },
      postCreateCommand: 'make tools',
    }),
    '.devcontainer/tool/install.sh': '',
    '.devcontainer/tool/devcontainer-feature.json': json({ id: 'tool', privileged: true }),
  }),
  shape('several devcontainers', {
    '.devcontainer/a/devcontainer.json': json({ image: 'debian:12' }),
    '.devcontainer/b/devcontainer.json': json({ image: 'debian:13' }),
  }),
  shape('several devcontainers, of which one is named', {
    'beadloom.json': json({ devcontainer: '.devcontainer/b/devcontainer.json' }),
    '.devcontainer/a/devcontainer.json': json({ image: 'debian:12' }),
    '.devcontainer/b/devcontainer.json': json({ image: 'debian:13' }),
  }),
  shape('a devcontainer that wants privileges', {
    '.devcontainer/devcontainer.json': json({
      image: 'debian:12',
      privileged: true,
      initializeCommand: 'make host',
      mounts: ['source=/var/run/docker.sock,target=/x,type=bind'],
      containerEnv: { TOKEN: '${localEnv:TOKEN}' },
    }),
  }),
  shape('a devcontainer of compose', {
    '.devcontainer/devcontainer.json': json({ dockerComposeFile: 'compose.yml', service: 'app' }),
    '.devcontainer/compose.yml': 'services:\n  app: { image: "node:22" }\n  db: { image: "postgres:16" }\n',
    'package.json': json(vitest),
  }),
  shape('a front and a back', {
    'web/package.json': json(vitest),
    'api/pyproject.toml': '[project]\nname = "api"\n',
    'api/test_api.py': '',
  }),
  shape('submodules and large files', {
    '.gitmodules':
      '[submodule "lib"]\n\tpath = vendor/lib\n\turl = https://example.org/lib.git\n[submodule "own"]\n\tpath = own\n\turl = ../own.git\n[submodule "out"]\n\tpath = ../out\n\turl = ext::sh -c id\n[submodule "run"]\n\tpath = run\n\turl = ext::sh -c id\n',
    '.gitattributes': '* text=auto\n*.bin filter=lfs diff=lfs merge=lfs -text\ndata/** filter=lfs\n',
    Makefile: 'test:\n\ttrue\n',
  }),
  shape('only words', { 'README.md': '', LICENSE: '' }),
  shape('nothing', {}),
]

export const shapes: readonly Shape[] = [...javascript, ...python, ...compiled, ...virtual, ...scripting, ...surrounded]
