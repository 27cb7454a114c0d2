import {
  c,
  elsewhere,
  goes,
  java,
  of,
  pytest,
  python,
  rust,
  script,
  type PublicRepository,
} from './public-repository.ts'

/** Brought later, in shapes that the first forty lack. */
export const moreRepositories: readonly PublicRepository[] = [
  of(
    'tox-dev/filelock@61511ebc1cc5d40b28f8584f1078e63f2d63fb02',
    'Hatchling, dependency groups, tox',
    ['src/filelock'],
    python(pytest()),
  ),
  of(
    'encode/django-rest-framework@751a19fe1b237beca9af7d587fce55d3e09d3741',
    'Django, dependency groups of which tox has one for each of its variants',
    ['rest_framework'],
    python(pytest()),
  ),
  of(
    'pytest-dev/pytest-django@67f97981cd444cabbbe4562ff172c466d85b4d1b',
    'a plugin of pytest, dependency groups, tox',
    ['pytest_django'],
    python(pytest()),
  ),
  of(
    'vercel/swr@7173e55b2a175dee455612c5fa067383345c392f',
    'pnpm workspace, React, Jest, Playwright',
    ['src'],
    script('npx jest --bail'),
  ),
  of(
    'testing-library/react-testing-library@f32bd1b033d5e3989ae1cb490d515ce389c54e53',
    'npm without a lock file, React, scripts of a package of scripts',
    ['src'],
    script('npx kcd-scripts test --watch=false --bail'),
  ),
  of(
    'gothinkster/angular-realworld-example-app@987b6346f2476bbc4be0845917df1699ddf014b4',
    'npm, Angular, Vitest, Playwright',
    ['src/app'],
    script('npx vitest run --bail 1'),
  ),
  of(
    'prometheus/client_golang@89c60c0554699c74fa3d4eec472b98a3108905e3',
    'Go with a Makefile and modules in folders',
    ['prometheus'],
    goes('go test ./...'),
  ),
  of(
    'sharkdp/fd@ee20f426ddf338ac7ead5c5f00ea49258005caaf',
    'Rust, a program with tests of its own in tests/',
    ['src'],
    rust('cargo test --offline'),
  ),
  of(
    'apache/commons-io@d83aeb6f4774aee75d857b29fb6cd89132c9a91b',
    'Maven, a parent that is elsewhere',
    ['src/main'],
    java('mvn -B -q -o test'),
  ),
  of(
    'akheron/jansson@a8b3c5999e752d895030360c553ba66fa6630ed0',
    'CMake with CTest, an option that leaves the tests out',
    ['src'],
    c('cmake -S . -B /tmp/own && cmake --build /tmp/own && ctest --test-dir /tmp/own --output-on-failure'),
  ),
  of('zserge/jsmn@25647e692c7906b96ffd2b05ca54c097948e879c', 'C with a Makefile alone', ['jsmn.h'], c('make test')),
  of(
    'GNOME/json-glib@0be776ddbbf783fa4e350c786c4d4ac60c92ec76',
    'Meson, with libraries of Debian',
    ['json-glib'],
    c('meson setup /tmp/own && meson test -C /tmp/own'),
  ),
  of(
    'mojolicious/mojo@b4de430651b722f560b1577da9018e3f402d96ab',
    'Perl, Makefile.PL',
    ['lib'],
    elsewhere('other', 'cpan.org', 'prove -l -r t'),
  ),
  of(
    'weavejester/hiccup@4d38180614264a288f743587a69bf746e4d06cb2',
    'Clojure, Leiningen',
    ['src'],
    elsewhere('other', 'repo.clojars.org', 'lein -o test'),
  ),
  of(
    'mirage/ocaml-cohttp@7b77cc7f18778967cbe3f64742290f268782fb7d',
    'OCaml, Dune, packages of opam beside each other',
    ['cohttp/src'],
    elsewhere('other', 'opam.ocaml.org', 'opam exec -- dune runtest'),
  ),
  of(
    'typelevel/cats@7f2dce5162074c0a0ebc597b89b6cd25e5fe0536',
    'Scala, sbt',
    ['core/src'],
    elsewhere('other', 'repo.scala-sbt.org', 'sbt -batch test'),
  ),
]
