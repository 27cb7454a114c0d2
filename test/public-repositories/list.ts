import type { Language } from './mutants.ts'

/**
 * A public repository at a commit. What is here is for the suite alone: of all of it, Beadloom is told nothing but where
 * the clone is.
 */
export type PublicRepository = {
  /** `OWNER/NAME` on GitHub. */
  name: string
  commit: string
  /** What a reader of the table has to know about it. */
  shape: string
  /** Null: the registries that its toolchain needs are npm, PyPI, crates.io, Go's, Maven Central or Debian. */
  registry: string | null
  language: Language
  /** The code that its tests cover: files or folders. */
  sources: readonly string[]
  /** Runs all of its tests, as its own CI does, in a container in which Beadloom's `setup` has run. */
  own: string
}

const python = (own: string) => ({ language: 'python', own, registry: null }) as const
const script = (own: string) => ({ language: 'javascript', own, registry: null }) as const
const goes = (own: string) => ({ language: 'go', own, registry: null }) as const
const rust = (own: string) => ({ language: 'rust', own, registry: null }) as const
const java = (own: string) => ({ language: 'java', own, registry: null }) as const
const c = (own: string) => ({ language: 'c', own, registry: null }) as const
const elsewhere = (language: Language, registry: string, own: string) => ({ language, registry, own }) as const

/** Whichever folder the environment is in: made by `uv sync`, Poetry, PDM or pip. */
const pytest = (args = '') => `PATH="$PWD/.venv/bin:$PATH" python -m pytest -q -x ${args}`.trim()

/** @param at `OWNER/NAME@COMMIT` */
function of(at: string, shape: string, sources: string[], rest: Rest): PublicRepository {
  const [name = '', commit = ''] = at.split('@')
  return { name, commit, shape, sources, ...rest }
}
type Rest = Pick<PublicRepository, 'language' | 'own' | 'registry'>

export const publicRepositories: readonly PublicRepository[] = [
  of(
    'pallets/flask@2ac89889f4cc330eabd50f295dcef02828522c69',
    'uv, dependency groups, src layout, a devcontainer',
    ['src/flask'],
    python(pytest()),
  ),
  of(
    'python-attrs/attrs@c1dc5dcba16ed827aa6dcad896b41a3afedb4e32',
    'uv, tox, src layout, version from tags',
    ['src/attr'],
    python(pytest('-p no:cacheprovider')),
  ),
  of(
    'pytest-dev/pluggy@e382e72789f8d791991c489d4322aa04e660b952',
    'uv, tox, src layout, version from tags',
    ['src/pluggy'],
    python(pytest()),
  ),
  of(
    'modelcontextprotocol/python-sdk@57394b0548d1e2dc2dce8d67d84985769df3b8bb',
    'uv workspace',
    ['src/mcp'],
    // Its lock file names a repository on GitHub.
    elsewhere('python', 'github.com', pytest('-n 2 tests')),
  ),
  of(
    'python-poetry/cleo@8c3f1bbf82d918fc137ad40db65c446e14564aac',
    'Poetry, src layout',
    ['src/cleo'],
    python(pytest()),
  ),
  of(
    'python-poetry/tomlkit@d8ed1e3cdb024dfc2c6f12b45a0dfd4d4d91f727',
    'Poetry, a submodule',
    ['tomlkit'],
    python(pytest('--ignore tests/test_toml_tests.py')),
  ),
  of('frostming/marko@0fa0b29b670feca15558652f327bc20c3baee91b', 'PDM', ['marko'], python(pytest())),
  of(
    'mkdocs/mkdocs@2862536793b3c67d9d83c33e0dd6d50a791928f8',
    'Hatch, unittest',
    ['mkdocs/structure', 'mkdocs/config', 'mkdocs/utils'],
    python(`PATH="$PWD/.venv/bin:$PATH" python -m unittest discover -f -s mkdocs -p "*tests.py"`),
  ),
  of(
    'asottile/pyupgrade@1915f5dfa65063de58d3df821312e9a582ef5cea',
    'setup.cfg, tox, requirements-dev.txt',
    ['pyupgrade'],
    python(pytest()),
  ),
  of(
    'mahmoud/boltons@967864f89791509f9eb36b22b4579d36b72a6df2',
    'pip, a dependency group, tox',
    ['boltons'],
    python(pytest('tests')),
  ),
  of(
    'encode/starlette@cb8f84f5284dc301ca7a31eb732b9e140769dd48',
    'pip, requirements.txt',
    ['starlette'],
    python(pytest()),
  ),
  of(
    'motdotla/dotenv@2fc7eac8ad77cbd5f7814355c7fa352dbcf3c358',
    'npm, a script of four, tap',
    ['lib'],
    script('npm run build && npx tap run tests/**/*.js --allow-empty-coverage --disable-coverage --timeout=60000'),
  ),
  of(
    'expressjs/express@a3714473feb3d2908add734d340e7755fd85e0a3',
    'npm without a lock file, Mocha',
    ['lib'],
    script('npx mocha --bail --require test/support/env --check-leaks test/ test/acceptance/'),
  ),
  of(
    'markedjs/marked@681373ccc058b5dc93c1f63291d755d7d714c2fa',
    'npm, a script of eight, a devcontainer',
    ['src'],
    // Its lock file names an archive on GitHub.
    elsewhere('javascript', 'github.com', 'npm run build && npm run test:specs && npm run test:unit'),
  ),
  of(
    'pmndrs/zustand@f094eebe9bd3b4b0d77b997f69ab1d273f69a877',
    'pnpm beside a package-lock.json, React, Vitest',
    ['src'],
    script('npx vitest run --bail 1'),
  ),
  of(
    'bvaughn/react-resizable-panels@a1eeb7aefdb024bb5879a323218e0ac05f77f28e',
    'pnpm, React, Vitest, Playwright',
    ['lib'],
    script('npx vitest run --bail 1'),
  ),
  of(
    '47ng/nuqs@6a9b78b538740c618e5be3128ab3c2b3029fa496',
    'pnpm and turbo, a monorepo',
    ['packages/nuqs/src'],
    script('cd packages/nuqs && npx vitest run --bail 1'),
  ),
  of('immerjs/immer@061c2425e1c9dff89e4e4189d42af1b7839dfe0a', 'Yarn 1', ['src'], script('npx vitest run --bail 1')),
  of(
    'reduxjs/reselect@93bb49091fc5e0e0569c745a7240df433548f386',
    'Yarn 4',
    ['src'],
    script('node --expose-gc ./node_modules/vitest/dist/cli-wrapper.js --run --bail 1'),
  ),
  of('elysiajs/elysia@8358ff9efbcedf9534995f5977f26b9ceab59329', 'Bun', ['src'], script('bun test --bail')),
  of(
    'alan2207/bulletproof-react@9506629ed003a561c6627735480cce4994244bb4',
    'apps/* without workspaces, Yarn 1, React, Vitest, Playwright',
    [
      'apps/react-vite/src/lib',
      'apps/react-vite/src/utils',
      'apps/react-vite/src/components',
      'apps/react-vite/src/features',
      'apps/react-vite/src/hooks',
    ],
    script('cd apps/react-vite && npx vitest run --bail 1'),
  ),
  of(
    'vintasoftware/django-react-boilerplate@26ae88fc50c4054425f4234ea8f627f266ee3de3',
    'root JavaScript with backend/ in Python, pnpm, Poetry',
    ['frontend/js'],
    script('npx jest --bail'),
  ),
  of(
    'fastapi/full-stack-fastapi-template@68adb40d37425f6f8668ec7e5a054500d045e43e',
    'compose with PostgreSQL, uv workspace, Bun',
    ['backend/app'],
    // Python 3.14 is neither Debian's nor any registry's, and PostgreSQL comes as an image.
    elsewhere('python', 'docker.io', 'cd backend && PATH="$PWD/../.venv/bin:$PATH" python -m pytest -q -x'),
  ),
  of('spf13/cobra@adbc8813901bba65827259daa8e22ff94ec1f30e', 'Go with a Makefile', ['.'], goes('go test ./...')),
  of(
    'uber-go/zap@5b81b37b81b8e2ed447a6f57991e372ee4fa5c8f',
    'Go with a Makefile and modules in folders',
    ['zapcore', 'buffer', 'exp'],
    goes('go test ./... && (cd exp && go test ./...)'),
  ),
  of(
    'lib/pq@f4654a41a62bc974ea825de270c44f577721205e',
    'Go, compose with PostgreSQL',
    ['internal', 'scram'],
    // The others need the database.
    goes('go test ./internal/... ./scram'),
  ),
  of(
    'BurntSushi/rust-csv@4a3997e91d668ea1d8595bdef15625a77cf2308a',
    'Rust, a root package and a workspace',
    ['src', 'csv-core/src', 'csv-index/src'],
    rust('cargo test --offline --workspace'),
  ),
  of(
    'dtolnay/thiserror@aa9d91f75302025e0c1d4c535d84a5bfdad62508',
    'Rust, a root package and a workspace, a macro',
    ['impl/src', 'src'],
    rust('cargo test --offline --workspace --exclude thiserror_no_std_test'),
  ),
  of(
    'sharkdp/hyperfine@327d5f4d9107141929f67f062bf9ef59f98b7399',
    'Rust, a program',
    ['src'],
    rust('cargo test --offline'),
  ),
  of(
    'google/gson@9835b6f90192f79cdf5300c528fc6212455fb6c1',
    'Maven with modules, JPMS',
    ['gson/src/main'],
    java('mvn -B -q -o -pl gson test'),
  ),
  of(
    'qos-ch/slf4j@902b46395728eff3cec405504a8b4fe43ff9b347',
    'Maven with modules',
    ['slf4j-api/src/main', 'slf4j-simple/src/main'],
    java('mvn -B -q -o -pl parent,slf4j-api,slf4j-simple -am test'),
  ),
  of('jhy/jsoup@46b620860af930eedc193a705eaf7cea5aec89a6', 'Maven', ['src/main'], java('mvn -B -q -o test')),
  of(
    'jarro2783/cxxopts@a3a21b31ef2894b5a802f041f40d51059469a259',
    'CMake with CTest',
    ['include'],
    c('cmake -S . -B /tmp/own && cmake --build /tmp/own && ctest --test-dir /tmp/own --output-on-failure'),
  ),
  of(
    'leethomason/tinyxml2@3dcad8e3c38e7091ae3771bf63020027f91715ce',
    'CMake with CTest beside a Makefile',
    ['tinyxml2.cpp'],
    c('cmake -S . -B /tmp/own && cmake --build /tmp/own && ctest --test-dir /tmp/own --output-on-failure'),
  ),
  of(
    'benhoyt/inih@26254ee9de7681f8825433415443e7116ff24b98',
    'Meson',
    ['ini.c'],
    c('meson setup /tmp/own && meson test -C /tmp/own'),
  ),
  of(
    'junit-pioneer/junit-pioneer@062ce51296dab909119fd6c9f090b9d6a2982530',
    'Gradle, Kotlin DSL, a wrapper',
    ['src/main'],
    elsewhere('java', 'services.gradle.org', 'sh ./gradlew --offline test'),
  ),
  of(
    'rack/rack@8bf4eb078498edc9105fb04add80d89c5340e60b',
    'a gem',
    ['lib'],
    elsewhere('other', 'rubygems.org', 'bundle exec rake test'),
  ),
  of(
    'nikic/FastRoute@1c961398bef1ff6ecd8b273bef651d7afe90312b',
    'Composer',
    ['src'],
    elsewhere('other', 'packagist.org', 'vendor/bin/phpunit'),
  ),
  of(
    'dashbitco/nimble_options@fb3da819103946b4bc29b0880df3783e8b1e9ae4',
    'Elixir',
    ['lib'],
    elsewhere('other', 'hex.pm', 'mix test'),
  ),
  of(
    'ardalis/GuardClauses@0209804391d8403cb828ad0a46fca1faba51ac4f',
    '.NET',
    ['src'],
    elsewhere('other', 'nuget.org', 'dotnet test --no-restore'),
  ),
]
