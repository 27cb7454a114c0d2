import { describe, expect, test } from 'vitest'
import { look } from '../look.ts'
import { filesOf, toolLines } from '../../testing/sample-repository.ts'

const found = (files: Record<string, string>) => look(filesOf(files))

describe('a version', () => {
  const pkg = '{\n  "engines": { "node": ">=20" },\n  "packageManager": "pnpm@9.1.0"\n}'

  test('is taken from the file that is made for it, before one that only bounds it', () => {
    const files = { '.nvmrc': '# for everybody\nv20.11.1\n', 'package.json': pkg }
    expect(toolLines(found(files))).toEqual(['node v20.11.1 (.nvmrc:2)', 'pnpm 9.1.0 (package.json:3)'])
    expect(found(files).conflicts).toEqual([])
  })

  test('that contradicts another one is a conflict, with both places', () => {
    const { conflicts, tools } = found({ '.node-version': '18.20.0', 'package.json': pkg })
    expect(tools[0]).toMatchObject({ version: '18.20.0' })
    expect(conflicts).toMatchObject([
      {
        tool: 'node',
        taken: { version: '18.20.0', from: { file: '.node-version', line: 1 } },
        other: { version: '>=20', from: { file: 'package.json', line: 2 } },
      },
    ])
  })

  test.each([
    ['.java-version', 'temurin64-17.0.1', 'java 17.0.1 (.java-version:1)'],
    ['.java-version', '1.8', 'java 8 (.java-version:1)'],
    ['.tool-versions', 'java adoptopenjdk-11.0.16+8', 'java 11.0.16 (.tool-versions:1)'],
    ['.sdkmanrc', '# sdk env\njava=21.0.2-tem\ngradle=8.5\n', 'java 21.0.2 (.sdkmanrc:2)'],
    ['.sdkmanrc', 'java=22.3.r17-grl', 'java 17 (.sdkmanrc:1)'],
  ])('of Java is the number, whoever built it: %s %s', (file, text, line) => {
    expect(toolLines(found({ [file]: text, 'pom.xml': '<project/>' }))).toContain(line)
  })

  test('that a project’s developers use counts before those that its users may have', () => {
    const devEngines = {
      runtime: [{ name: 'node', version: '^22.1' }],
      packageManager: { name: 'pnpm', version: '9.x', onFail: 'error' },
    }
    const text = JSON.stringify({ engines: { node: '>=16' }, devEngines, scripts: { test: 'node --test' } }, null, 1)
    expect(toolLines(found({ 'package.json': text }))).toEqual([
      'node ^22.1 (package.json:6)',
      'pnpm 9 (package.json:12)',
    ])
  })

  test('of mise counts before that of asdf, and that before the file of one tool', () => {
    const mise =
      '[tools]\nnode = "22"\npython = { version = "3.12" }\n"core:go" = ["1.24", "1.23"]\nterraform = "1"\nrust = "latest"\n'
    const files = {
      'mise.toml': mise,
      '.tool-versions': 'nodejs 20.1.0\nruby 3.3.0 # x\n',
      '.python-version': '3.12.1',
    }
    expect(toolLines(found(files))).toEqual([
      'node 22 (mise.toml:2)',
      'python 3.12 (mise.toml:3)',
      'go 1.24 (mise.toml:4)',
      'rust any (mise.toml:6)',
      'ruby 3.3.0 (.tool-versions:2)',
    ])
    expect(found(files).conflicts).toMatchObject([{ tool: 'node', other: { version: '20.1.0' } }])
  })

  test('that is only a name causes no conflict', () => {
    expect(found({ '.nvmrc': 'lts/*', 'package.json': pkg }).conflicts).toEqual([])
  })

  test('of a matrix counts if nothing else says one: the newest', () => {
    const ci = `jobs:
  test:
    strategy:
      matrix:
        python: ["3.9", "3.12", 3.10]
    steps:
      - uses: actions/setup-python@v5
        with:
          python-version: \${{ matrix.python }}
`
    expect(toolLines(found({ '.github/workflows/ci.yml': ci }))).toEqual(['python 3.12 (.github/workflows/ci.yml:9)'])
    expect(toolLines(found({ '.github/workflows/ci.yml': ci, '.python-version': '3.11' }))).toEqual([
      'python 3.11 (.python-version:1)',
    ])
  })

  test('is not implied by a CI that also tests with the newest one', () => {
    const uses = (version: string) => `jobs:\n  a:\n    steps:\n      - uses: dtolnay/rust-toolchain@${version}\n`
    const of = (one: string, other: string) =>
      toolLines(
        found({
          'Cargo.toml': '[package]\n',
          '.github/workflows/a.yml': uses(one),
          '.github/workflows/b.yml': uses(other),
        }),
      )
    expect(of('1.85', 'stable')).toEqual(['rust any (Cargo.toml)'])
    expect(of('1.85', 'nightly')[0]).toContain('rust 1.85')
  })

  test('of an old source never means a newer Java, unless the CI does it', () => {
    const of = (java: number) =>
      toolLines(
        found({
          'pom.xml': '<project><properties><maven.compiler.source>1.5</maven.compiler.source></properties></project>',
          '.github/workflows/a.yml': `jobs:\n  a:\n    steps:\n      - uses: actions/setup-java@v5\n        with: { java-version: ${java} }\n`,
        }),
      )[0]
    expect(of(8)).toMatch(/^java 8 /)
    expect(of(17)).toMatch(/^java 17\+ /)
  })
})

describe('the toolchain', () => {
  const pom = (inside: string) => `<project>\n${inside}\n</project>`
  test.each<[string, Record<string, string>, string[]]>([
    ['Go, with a toolchain', { 'go.mod': 'module x\n\ngo 1.21\ntoolchain go1.22.3\n' }, ['go 1.22.3 (go.mod:4)']],
    ['Go, without', { 'go.mod': 'module x\n\ngo 1.21 // old\n' }, ['go 1.21+ (go.mod:3)']],
    [
      'Rust, by channel',
      { 'rust-toolchain.toml': '[toolchain]\nchannel = "1.80.1"\n', 'Cargo.toml': '' },
      ['rust 1.80.1 (rust-toolchain.toml:2)'],
    ],
    ['Rust, in a word', { 'rust-toolchain': '1.79\n', 'Cargo.toml': '' }, ['rust 1.79 (rust-toolchain:1)']],
    ['Rust, the oldest', { 'Cargo.toml': '[package]\nrust-version = "1.70"\n' }, ['rust 1.70+ (Cargo.toml:2)']],
    [
      'Rust, of a workspace',
      { 'Cargo.toml': '[workspace.package]\nrust-version = "1.75"' },
      ['rust 1.75+ (Cargo.toml:2)'],
    ],
    ['Python', { 'pyproject.toml': '[project]\nrequires-python = ">=3.10"\n' }, ['python >=3.10 (pyproject.toml:2)']],
    [
      'Python, of Poetry',
      { 'pyproject.toml': '[tool.poetry.dependencies]\npython = "^3.9"\n', 'poetry.lock': '' },
      ['python ^3.9 (pyproject.toml:2)', 'poetry any (poetry.lock)'],
    ],
    [
      'Maven',
      { 'pom.xml': pom('<properties>\n<java.version>21</java.version></properties>') },
      ['java 21+ (pom.xml:3)', 'maven any (pom.xml)'],
    ],
    [
      'Maven, by a property of its own',
      { 'pom.xml': pom('<jdk>1.8</jdk>\n<maven.compiler.source>${jdk}</maven.compiler.source>') },
      ['java 8+ (pom.xml:3)', 'maven any (pom.xml)'],
    ],
    [
      'Maven, with a source that no newer Java compiles',
      { 'pom.xml': pom('<properties>\n<maven.compiler.source>1.5</maven.compiler.source></properties>') },
      ['java 8 (pom.xml:3)', 'maven any (pom.xml)'],
    ],
    [
      'Maven, wrapped',
      {
        'pom.xml': '',
        mvnw: '',
        '.mvn/wrapper/maven-wrapper.properties': 'distributionUrl=https://x/apache-maven-3.9.6-bin.zip',
      },
      ['java any (pom.xml)', 'maven 3.9.6 (mvnw)'],
    ],
    [
      'Gradle',
      {
        'build.gradle.kts': 'java {\n toolchain { languageVersion = JavaLanguageVersion.of(17) }\n}',
        gradlew: '',
        'gradle/wrapper/gradle-wrapper.jar': '',
        'gradle/wrapper/gradle-wrapper.properties': 'distributionUrl=https\\://x/gradle-8.7-bin.zip',
      },
      ['java 17 (build.gradle.kts:2)', 'gradle 8.7 (gradlew)'],
    ],
    [
      'Gradle, by compatibility',
      { 'build.gradle': "sourceCompatibility = '1.8'" },
      ['java 8+ (build.gradle:1)', 'gradle any (build.gradle)'],
    ],
    [
      '.NET, by SDK',
      { 'global.json': '{\n"sdk": { "version": "8.0.100", "rollForward": "latestFeature" } }', 'App.sln': '' },
      ['dotnet 8.0.100+ (global.json:2)'],
    ],
    [
      '.NET, by target',
      { 'App.csproj': '<TargetFrameworks>net8.0;net9.0</TargetFrameworks>' },
      ['dotnet 9.0+ (App.csproj:1)'],
    ],
    [
      'Ruby',
      { Gemfile: 'source "x"\nruby "3.3.1"\n', 'Gemfile.lock': 'BUNDLED WITH\n   2.5.6\n' },
      ['ruby 3.3.1 (Gemfile:2)', 'bundler 2.5.6+ (Gemfile.lock:2)'],
    ],
    [
      'PHP',
      { 'composer.json': '{"require":{\n"php": "^8.2"}}' },
      ['php ^8.2 (composer.json:2)', 'composer any (composer.json)'],
    ],
    ['Elixir', { 'mix.exs': 'def project, do: [\n      elixir: "~> 1.15",\n]' }, ['elixir ~> 1.15 (mix.exs:2)']],
    ['Deno', { 'deno.json': '{}' }, ['deno any (deno.json)']],
    ['Volta', { 'package.json': '{"volta":{"node":"20.1.0"}}' }, ['node 20.1.0 (package.json:1)']],
  ])('for %s', (_, files, tools) => {
    expect(toolLines(found(files))).toEqual(tools)
  })
})
