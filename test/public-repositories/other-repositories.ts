import { inLanguage, type PublicRepository } from './public-repository.ts'

const other = inLanguage('other')

/** Repositories in languages without mutations. */
export const otherRepositories: readonly PublicRepository[] = [
  other(
    'rack/rack@8bf4eb078498edc9105fb04add80d89c5340e60b',
    'a gem',
    ['lib'],
    'bundle exec rake test TESTOPTS=-v',
    'rubygems.org',
  ),
  other(
    'nikic/FastRoute@1c961398bef1ff6ecd8b273bef651d7afe90312b',
    'Composer',
    ['src'],
    'vendor/bin/phpunit --log-junit php://stdout',
    'packagist.org',
  ),
  other(
    'dashbitco/nimble_options@fb3da819103946b4bc29b0880df3783e8b1e9ae4',
    'Elixir',
    ['lib'],
    'mix test --trace',
    'hex.pm',
  ),
  other(
    'ardalis/GuardClauses@0209804391d8403cb828ad0a46fca1faba51ac4f',
    '.NET',
    ['src'],
    'dotnet test --no-restore',
    'nuget.org',
  ),
  other(
    'mojolicious/mojo@b4de430651b722f560b1577da9018e3f402d96ab',
    'Perl, Makefile.PL',
    ['lib'],
    'prove -l -r t',
    'cpan.org',
  ),
  other(
    'weavejester/hiccup@4d38180614264a288f743587a69bf746e4d06cb2',
    'Clojure, Leiningen',
    ['src'],
    'lein -o test',
    'repo.clojars.org',
  ),
  other(
    'mirage/ocaml-cohttp@7b77cc7f18778967cbe3f64742290f268782fb7d',
    'OCaml, Dune, packages of opam beside each other',
    ['cohttp/src'],
    'opam exec -- dune runtest',
    'opam.ocaml.org',
  ),
  other(
    'typelevel/cats@7f2dce5162074c0a0ebc597b89b6cd25e5fe0536',
    'Scala, sbt',
    ['core/src'],
    'sbt -batch test',
    'repo.scala-sbt.org',
  ),
]
