import { commandClaim, place, toolClaim } from '../claims.ts'
import type { Family, Reading, Tool } from '../found.ts'
import type { Folder } from '../files/repository-files.ts'

/** The files by which a language's build is recognized, and the commands of its tool. Null: there is nothing to run. */
type Build = {
  family: Family
  tool: Tool
  title: string
  file: RegExp
  commands: (folder: Folder, file: string) => Commands | null
}
type Commands = { setup: string; test: string }

/**
 * Languages whose projects are all alike. Many of their toolchains and registries are not available: the message then
 * names the language, instead of saying that there is no command.
 */
const builds: readonly Build[] = [
  {
    family: 'scala',
    tool: 'sbt',
    title: 'Scala',
    file: /^build\.sbt$/,
    commands: () => ({ setup: 'sbt -batch update && { sbt -batch Test/compile || true; }', test: 'sbt -batch test' }),
  },
  {
    family: 'clojure',
    tool: 'leiningen',
    title: 'Clojure',
    file: /^project\.clj$/,
    commands: () => ({ setup: 'lein with-profile +test deps', test: 'lein -o test' }),
  },
  { family: 'clojure', tool: 'clojure', title: 'Clojure', file: /^deps\.edn$/, commands: aliasOfClojure },
  {
    family: 'haskell',
    tool: 'haskell',
    title: 'Haskell',
    file: /^cabal\.project$|\.cabal$/,
    commands: (folder, file) =>
      file === 'cabal.project' || /^[ \t]{0,20}test-suite\s/im.test(folder.text(file) ?? '')
        ? {
            setup: 'cabal update && { cabal build all --enable-tests || true; }',
            test: 'cabal test all --offline --test-show-details=direct --keep-going',
          }
        : null,
  },
  {
    family: 'haskell',
    tool: 'stack',
    title: 'Haskell',
    file: /^stack\.yaml$/,
    commands: () => ({ setup: 'stack test --no-run-tests --keep-going', test: 'stack test --keep-going' }),
  },
  { family: 'ocaml', tool: 'ocaml', title: 'OCaml', file: /^dune-project$/, commands: dune },
  {
    family: 'erlang',
    tool: 'erlang',
    title: 'Erlang',
    file: /^rebar\.config$/,
    commands: (folder) => {
      const common = folder.below(/^(?:apps\/[^/]{1,80}\/)?test\/(?:.*\/)?[^/]*_SUITE\.erl$/, 1).length > 0
      return { setup: 'rebar3 as test compile', test: common ? 'rebar3 do eunit, ct' : 'rebar3 eunit' }
    },
  },
  {
    family: 'perl',
    tool: 'perl',
    title: 'Perl',
    file: /^(?:Makefile\.PL|Build\.PL|cpanfile|dist\.ini)$/,
    commands: perl,
  },
  {
    family: 'r',
    tool: 'r',
    title: 'R',
    file: /^DESCRIPTION$/,
    commands: (folder, file) =>
      /^Package:/m.test(folder.text(file) ?? '') && folder.below(/^tests\/testthat\/test[^/]*\.[rR]$/, 1).length > 0
        ? {
            setup: `Rscript -e 'options(warn = 2); remotes::install_deps(dependencies = TRUE)'`,
            test: `Rscript -e 'testthat::test_local(stop_on_failure = TRUE)'`,
          }
        : null,
  },
  {
    family: 'julia',
    tool: 'julia',
    title: 'Julia',
    file: /^(?:Julia)?Project\.toml$/,
    commands: (folder) =>
      folder.below(/^test\/runtests\.jl$/, 1).length > 0
        ? {
            setup: `julia --project -e 'using Pkg; Pkg.instantiate()'`,
            test: `JULIA_PKG_OFFLINE=true julia --project -e 'using Pkg; Pkg.test()'`,
          }
        : null,
  },
]

/** Reads a folder by the first build that has something to run. */
export function otherLanguages(folder: Folder): Reading | null {
  const found = builds.flatMap((build) => {
    const file = folder.names.toSorted().find((name) => build.file.test(name))
    const commands = file === undefined ? null : build.commands(folder, file)
    return file === undefined || commands === null ? [] : [{ ...build, from: place(folder, file), commands }]
  })
  const taken = found.filter(({ family }, at) => found.findIndex((other) => other.family === family) === at)
  if (taken.length === 0) return null
  return {
    tools: taken.flatMap(({ tool, from }) => toolClaim(tool, null, from)),
    commands: taken.flatMap(({ family, commands: { setup, test }, from }) => [
      ...commandClaim(folder, family, 'setup', setup, from),
      ...commandClaim(folder, family, 'test', test, from),
    ]),
    techStack: taken.map(({ title }) => title),
  }
}

/** Without an alias for tests, something else runs them. */
function aliasOfClojure(folder: Folder, file: string): Commands | null {
  const text = folder.text(file) ?? ''
  const at = text.search(/:test\s{0,20}\{/)
  if (at === -1) return null
  const call = text.slice(at, at + 2000).includes(':exec-fn') ? '-X' : '-M'
  return { setup: `clojure -P ${call}:test`, test: `clojure ${call}:test` }
}

function dune(folder: Folder): Commands {
  if (!folder.names.some((name) => name.endsWith('.opam')))
    return { setup: '{ dune build @all || true; }', test: 'dune runtest' }
  return {
    setup:
      'opam init --yes --disable-sandboxing --compiler=ocaml-system && opam install . --yes --deps-only --with-test && { opam exec -- dune build @all || true; }',
    test: 'opam exec -- dune runtest',
  }
}

/** The module is built first, as it may have a part in C. */
function perl(folder: Folder): Commands | null {
  if (folder.below(/^t\/.*\.t$/, 1).length === 0) return null
  const build = folder.has('Makefile.PL')
    ? 'perl Makefile.PL && make && prove -b -r t'
    : folder.has('Build.PL')
      ? 'perl Build.PL && ./Build && prove -b -r t'
      : 'prove -l -r t'
  return {
    setup: 'cpanm --notest --local-lib ~/perl5 --installdeps .',
    test: `export PERL5LIB=~/perl5/lib/perl5 && ${build}`,
  }
}
