import type { Tool } from '../found.ts'
import type { Install, Offer, Release } from './offer.ts'

/*
 * The toolchains in Debian's packages. A release keeps its versions, but Rust for browsers (`rustc-web`) follows the
 * browsers: its versions are from when this was written, and newer ones fit as well.
 */

const NAMES: Readonly<Record<Release, string>> = { bookworm: 'Debian 12', trixie: 'Debian 13' }

/** For packages of a language that compile C. */
const C = ['gcc', 'g++', 'libc6-dev', 'pkg-config']

const debian = (release: Release, version: string, packages: readonly string[]): Offer => ({
  version,
  release,
  from: NAMES[release],
  installs: packages.map((what): Install => ({ by: 'debian', what })),
})

const jdk = (release: Release, version: string): Offer => debian(release, version, [`openjdk-${version}-jdk-headless`])

/** With the runners that test most gems: a gem that needs no other gem then needs no registry. */
const ruby = (release: Release, version: string): Offer =>
  debian(release, version, ['ruby', 'ruby-dev', 'bundler', 'libyaml-dev', 'ruby-rspec', 'ruby-test-unit', ...C])

const PHP_PARTS = ['curl', 'intl', 'mbstring', 'sqlite3', 'xml', 'zip']
const php = (release: Release, version: string): Offer =>
  debian(release, version, ['php-cli', ...PHP_PARTS.map((part) => `php-${part}`)])

/** The library that crates link to most and do not bring themselves: OpenSSL. */
const RUST = [...C, 'libssl-dev']

const MESON = ['meson', 'ninja-build']

const ELIXIR = [
  'elixir',
  'erlang-dev',
  'erlang-xmerl',
  'erlang-eunit',
  'erlang-parsetools',
  'erlang-dialyzer',
  'rebar3',
]

const ERLANG = [
  ...[
    'base',
    'dev',
    'crypto',
    'ssl',
    'inets',
    'xmerl',
    'parsetools',
    'tools',
    'syntax-tools',
    'eunit',
    'common-test',
  ].map((part) => `erlang-${part}`),
  'rebar3',
]

/** The first two libraries are those that most packages are linked with. */
const HASKELL = ['ghc', 'cabal-install', 'zlib1g-dev', 'libgmp-dev', ...C]
const OCAML = ['ocaml', 'ocaml-dune', 'opam', 'm4', ...C]
const PERL = ['perl', 'cpanminus', 'libmodule-build-perl', ...C]
const R = ['r-base-core', 'r-cran-remotes', 'r-cran-testthat', 'r-cran-pkgload', ...C]

/** The libraries of most programs and tests in C and C++; together they have 30 MB. Others belong in a Dockerfile. */
const LIBRARIES = ['zlib1g-dev', 'libssl-dev', 'libcurl4-openssl-dev', 'libexpat1-dev', 'libpcre2-dev']
const TEST_LIBRARIES = ['libgtest-dev', 'libgmock-dev', 'catch2', 'doctest-dev', 'check', 'libcmocka-dev']

/** The build tools for most of it, besides make, which the image has. */
const C_TOOLS = [...C, 'cmake', 'ninja-build', ...LIBRARIES, ...TEST_LIBRARIES]

const AUTOTOOLS = ['autoconf', 'automake', 'libtool', 'autopoint', 'gettext', 'bison', 'flex', 'm4', 'texinfo']

/** In the order of preference. */
export const debianOffers: Partial<Readonly<Record<Tool, readonly Offer[]>>> = {
  // In the base image: nothing is installed.
  python: [debian('bookworm', '3.11', []), debian('trixie', '3.13', [])],
  rust: [
    debian('trixie', '1.96', ['rustc-web', 'cargo-web', ...RUST]),
    debian('trixie', '1.85', ['rustc', 'cargo', 'rust-clippy', 'rustfmt', ...RUST]),
  ],
  c: [debian('bookworm', '12', C_TOOLS), debian('trixie', '14', C_TOOLS)],
  autotools: [debian('bookworm', '2.71', AUTOTOOLS), debian('trixie', '2.72', AUTOTOOLS)],
  swift: [debian('trixie', '6.0', ['swiftlang', ...C])],
  java: [jdk('trixie', '21'), jdk('bookworm', '17'), jdk('trixie', '25')],
  ruby: [ruby('trixie', '3.3'), ruby('bookworm', '3.1')],
  php: [php('trixie', '8.4'), php('bookworm', '8.2')],
  composer: [debian('trixie', '2.8', ['composer']), debian('bookworm', '2.5', ['composer'])],
  elixir: [debian('trixie', '1.18', ELIXIR), debian('bookworm', '1.14', ELIXIR)],
  erlang: [debian('trixie', '27', ERLANG), debian('bookworm', '25', ERLANG)],
  leiningen: [debian('bookworm', '2.10', ['leiningen'])],
  haskell: [debian('trixie', '9.6', HASKELL), debian('bookworm', '9.0', HASKELL)],
  ocaml: [debian('trixie', '5.3', OCAML), debian('bookworm', '4.13', OCAML)],
  perl: [debian('bookworm', '5.36', PERL), debian('trixie', '5.40', PERL)],
  r: [debian('trixie', '4.5', R), debian('bookworm', '4.2', R)],
}

export const cmakeOfDebian = [debian('bookworm', '3.25', ['cmake']), debian('trixie', '3.31', ['cmake'])]
export const mesonOfDebian = [debian('bookworm', '1.0', MESON), debian('trixie', '1.7', MESON)]

export const mavenOfDebian: Offer = debian('trixie', '3.9', ['maven'])

/** Debian 12's Maven, which downloads a newer one. */
export const oldMaven: readonly Install[] = debian('bookworm', '3.8', ['maven']).installs
/** For compiling extensions of Python: its headers, and those of the libraries that most extensions use. */
export const pythonHeaders: readonly Install[] = ['python3-dev', 'libffi-dev', 'libpq-dev', 'libssl-dev'].map(
  (what) => ({
    by: 'debian',
    what,
  }),
)

/** Go's command of this release downloads any other version. */
export const goOfDebian: Offer = debian('trixie', '1.24', ['golang-go', ...C])
