import { expect, test } from 'vitest'
import { filesOf } from '../../testing/sample-repository.ts'
import { detected, type Detected } from '../commands/detected.ts'
import { look } from '../look.ts'
import { chooseToolchains } from '../toolchains/choose-toolchains.ts'

const of = (files: Record<string, string>): Detected => detected(look(filesOf(files)))

test.each<[string, Record<string, string>, string]>([
  ['Scala', { 'build.sbt': '', 'src/test/scala/XSuite.scala': '' }, 'sbt -batch test'],
  ['Clojure', { 'project.clj': '', 'test/x_test.clj': '' }, 'lein -o test'],
  ['Clojure', { 'deps.edn': '{:aliases {:test {:main-opts ["-m" "x"]}}}' }, 'clojure -M:test'],
  ['Clojure', { 'deps.edn': '{:aliases {:test {:exec-fn x/run}}}' }, 'clojure -X:test'],
  [
    'Haskell',
    { 'x.cabal': 'name: x\n\ntest-suite all\n  type: exitcode-stdio-1.0\n', 'stack.yaml': '' },
    'cabal test all --offline --test-show-details=direct --keep-going',
  ],
  ['Haskell', { 'x.cabal': 'name: x\n', 'stack.yaml': '', 'tests/XSpec.hs': '' }, 'stack test --keep-going'],
  ['OCaml', { 'dune-project': '', 'x.opam': '', Makefile: 'test:\n\tdune test\n' }, 'opam exec -- dune runtest'],
  ['OCaml', { 'dune-project': '', 'test/test_x.ml': '' }, 'dune runtest'],
  ['Erlang', { 'rebar.config': '', 'test/x_SUITE.erl': '' }, 'rebar3 do eunit, ct'],
  [
    'Perl',
    { 'Makefile.PL': '', 't/x.t': '' },
    'export PERL5LIB=~/perl5/lib/perl5 && perl Makefile.PL && make && prove -b -r t',
  ],
  [
    'R',
    { DESCRIPTION: 'Package: x\n', 'tests/testthat/test-x.R': '' },
    `Rscript -e 'testthat::test_local(stop_on_failure = TRUE)'`,
  ],
  [
    'Julia',
    { 'Project.toml': '', 'test/runtests.jl': '' },
    `JULIA_PKG_OFFLINE=true julia --project -e 'using Pkg; Pkg.test()'`,
  ],
])('%s: its own tool runs the tests of %j', (title, files, command) => {
  const { tests, techStack, setup } = of(files)
  expect(techStack).toContain(title)
  expect(tests.map((one) => one.command)).toEqual([command])
  expect(setup).not.toBeNull()
})

test.each([
  ['a library of Perl without tests', { 'Makefile.PL': '' }],
  ['a file of another kind', { DESCRIPTION: 'A game\n', 'tests/testthat/test-x.R': '' }],
  ['a project of Clojure that something else tests', { 'deps.edn': '{:deps {}}' }],
])('%s is not run by it', (_, files) => {
  expect(of(files).test).toBeNull()
})

test('modules below are tested with those above them', () => {
  const files = { 'project.clj': '', 'test/a_test.clj': '', 'core/project.clj': '', 'core/test/x_test.clj': '' }
  expect(of(files).nested).toEqual([])
})

test('an unavailable toolchain is named with its place', () => {
  const { tools } = of({ 'build.sbt': '', 'src/test/scala/XSuite.scala': '' })
  expect(chooseToolchains(tools).missing).toEqual([expect.stringMatching(/^build\.sbt asks for sbt \(Scala\), which /)])
  expect(chooseToolchains(of({ 'deps.edn': '{:aliases {:test {}}}' }).tools).missing).toEqual([
    expect.stringContaining('name an "image" (clojure:temurin-21-tools-deps-bookworm)'),
  ])
})

test.each([
  ['phpcs --standard=PSR12 src', 'vendor/bin/phpunit --log-junit php://stdout'],
  ['vendor/bin/phpstan analyse', 'vendor/bin/phpunit --log-junit php://stdout'],
  ['phpcs && phpunit', 'composer test'],
])('a script of Composer that only lints is no test if PHPUnit has its settings: %s', (script, command) => {
  const files = { 'composer.json': JSON.stringify({ scripts: { test: script } }), 'phpunit.xml': '<phpunit/>' }
  const { commands } = look(filesOf(files))
  expect(commands.filter(({ purpose }) => purpose === 'test').map((one) => one.command)).toEqual([command])
})
