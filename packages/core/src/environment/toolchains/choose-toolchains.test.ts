import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { filesOf } from '../../testing/sample-repository.ts'
import { detected } from '../commands/detected.ts'
import { tools, type Tool, type ToolClaim } from '../found.ts'
import { look } from '../look.ts'
import { chooseToolchains } from './choose-toolchains.ts'
import { installLines } from './install-lines.ts'
import { noToolchains, type ToolchainPlan } from './offer.ts'
import { withOwn } from './own-toolchains.ts'
import { toolchainTroubles, toolchainWords } from './toolchain-words.ts'
import { longTest } from '../../testing/long-test.ts'

const claim = (tool: Tool, version: string | null = null, least = false): ToolClaim => ({
  tool,
  version,
  least,
  from: { file: 'x', line: 1 },
  confidence: 'said',
})
const choose = (...claims: ToolClaim[]): ToolchainPlan => chooseToolchains(claims)
const versions = ({ toolchains }: ToolchainPlan): string[] =>
  toolchains.map(({ tool, version }) => `${tool} ${version}`)
const of = (files: Record<string, string>): ToolchainPlan => chooseToolchains(detected(look(filesOf(files))).tools)

describe('one tool', () => {
  test.each<[string, ToolClaim, string, string, string]>([
    ['any Node.js is in the image', claim('node'), 'bookworm', '24', ''],
    ['and so is a new enough one', claim('node', '>=18'), 'bookworm', '24', ''],
    [
      'an exact one comes from npm, with an npm that runs on it',
      claim('node', 'v18.19.1'),
      'bookworm',
      '18.19.1',
      'node 18.19.1\nnpm npm@10\n',
    ],
    ['of a series the registry takes the newest', claim('node', '22'), 'bookworm', '22', 'node 22\n'],
    ['a long-term version has a name', claim('node', 'lts/iron'), 'bookworm', '20', 'node 20\nnpm npm@10\n'],
    ['of several the newest', claim('node', '^14 || ^16'), 'bookworm', '16', 'node 16\nnpm npm@9\n'],
    ['a package manager at its version', claim('pnpm', '9.12.0+sha512.abc'), 'bookworm', '9.12.0', 'npm pnpm@9.12.0\n'],
    ['Yarn 1', claim('yarn', '1.22.19'), 'bookworm', '1.22.19', 'npm yarn@1.22.19\n'],
    [
      'the Yarn after it has another package',
      claim('yarn', '4.5.0'),
      'bookworm',
      '4.5.0',
      'npm @yarnpkg/cli-dist@4.5.0\n',
    ],
    ['Deno', claim('deno'), 'bookworm', '2', 'deno 2\n'],
    ['Bun', claim('bun', '1.2.3'), 'bookworm', '1.2.3', 'bun 1.2.3\n'],
    ['any Python is in the image', claim('python', '>=3.9'), 'bookworm', '3.11', ''],
    ['a newer one is in that of the next release', claim('python', '>=3.12'), 'trixie', '3.13', ''],
    ['uv', claim('uv'), 'bookworm', 'newest', 'pypi uv\n'],
    ['Poetry at its version', claim('poetry', '1.8.3'), 'bookworm', '1.8.3', 'pypi poetry==1.8.3\n'],
    ['the oldest Java that will do', claim('java', '11', true), 'bookworm', '17', 'debian openjdk-17-jdk-headless\n'],
    ['a Java by its number', claim('java', 'temurin-21.0.2+13'), 'trixie', '21', 'debian openjdk-21-jdk-headless\n'],
  ])('%s', (_, wanted, release, version, lines) => {
    const plan = choose(wanted)
    expect(plan).toMatchObject({ release, missing: [], toolchains: [{ version, fits: true }] })
    expect(installLines(plan.installs)).toBe(lines)
  })

  test.each<[string, ToolClaim, string]>([
    ["Debian's where it is new enough", claim('go', '1.22', true), '1.24'],
    ['the last of a series', claim('go', '1.22'), '1.22.12'],
    ['the very version', claim('go', '1.23.4'), '1.23.4'],
    ['a newer series than Debian has', claim('go', '1.25.0', true), '1.27.4'],
    ['one that is newer than the table', claim('go', '1.42', true), '1.42.0'],
  ])('Go: %s', (_, wanted, version) => {
    const plan = choose(wanted)
    expect(versions(plan)).toEqual([`go ${version}`])
    expect(plan.toolchains[0]?.fits).toBe(true)
    expect(plan.release).toBe('trixie')
    expect(installLines(plan.installs).includes(`\ngo ${version}\n`)).toBe(version !== '1.24')
  })
})

describe('several tools', () => {
  test('share the release that has all of them', () => {
    const plan = choose(claim('python'), claim('go', '1.22', true))
    expect(plan.release).toBe('trixie')
    expect(versions(plan)).toEqual(['python 3.13', 'go 1.24'])
    expect(plan.toolchains.every(({ fits }) => fits)).toBe(true)
  })

  test('of which an older one is needed make it the older release', () => {
    expect(choose(claim('java', '17'), claim('maven')).release).toBe('bookworm')
    expect(choose(claim('php', '8.2'), claim('composer')).release).toBe('bookworm')
  })

  test('are installed in one order, once, whatever the order of the files', () => {
    const claims = [claim('go'), claim('rust'), claim('node', '20.1.0')]
    expect(choose(...claims.toReversed()).installs).toEqual(choose(...claims).installs)
    expect(choose(...claims).installs.filter(({ what }) => what === 'gcc')).toHaveLength(1)
  })

  test('have an official image only if that has all of them', () => {
    expect(choose(claim('go', '1.22.3')).official).toBe('golang:1.22.3-bookworm')
    expect(choose(claim('java', '17', true), claim('maven')).official).toBe('maven:3-eclipse-temurin-17')
    expect(choose(claim('go'), claim('node')).official).toBeNull()
    expect(choose(claim('node', '20'), claim('pnpm', '9.0.0')).official).toBeNull()
    expect(choose(claim('node'), claim('python')).official).toBeNull()
  })
})

describe('an unavailable version', () => {
  test('is replaced by the nearest newer one, with a note', () => {
    const plan = choose(claim('python', '3.12'))
    expect(plan).toMatchObject({ release: 'trixie', toolchains: [{ version: '3.13', fits: false }] })
    expect(toolchainTroubles(plan)).toEqual([
      'x:1 asks for Python 3.12, and the nearest available here is 3.13: name an "image" (python:3.12-bookworm) or a "dockerfile" that has it, or another version in "toolchains", in beadloom.json.',
    ])
    expect(versions(choose(claim('rust', '1.70.0')))).toEqual(['rust 1.85'])
    expect(versions(choose(claim('java', '8')))).toEqual(['java 17'])
    // The newer release has the newer Maven, which matters less.
    expect(versions(choose(claim('java', '8'), claim('maven')))[0]).toBe('java 17')
  })

  test('is replaced by one that the other files accept, if there is one', () => {
    const files = (required: string) => ({
      '.python-version': '3.12\n',
      'pyproject.toml': `[project]\nname = "x"\nrequires-python = "${required}"\n`,
    })
    expect(versions(of(files('>=3.10')))).toEqual(['python 3.13'])
    expect(versions(of(files('>=3.10,<3.13')))).toEqual(['python 3.11'])
  })

  test('is replaced by the newest if everything is older, and a nightly build by an available one', () => {
    expect(choose(claim('ruby', '3.9'))).toMatchObject({ toolchains: [{ version: '3.3', fits: false }] })
    expect(choose(claim('rust', 'nightly'))).toMatchObject({ toolchains: [{ version: '1.96', fits: false }] })
    expect(choose(claim('rust', 'stable'))).toMatchObject({ toolchains: [{ version: '1.96', fits: true }] })
  })

  test('without a replacement is named, with an image that would have it', () => {
    const { missing, installs } = choose(claim('dotnet', '8.0', true))
    expect(installs).toEqual([])
    expect(missing).toEqual([
      'x:1 asks for .NET 8.0 or newer, which neither Debian nor a registry that Beadloom knows has: name an "image" (mcr.microsoft.com/dotnet/sdk:8.0) or a "dockerfile" that has it in beadloom.json.',
    ])
    expect(choose(claim('java'), claim('gradle')).missing).toEqual([
      'x:1 asks for Gradle, which neither Debian nor a registry that Beadloom knows has: commit its wrapper (gradlew, and gradle/wrapper/gradle-wrapper.jar) or a "dockerfile" that has it in beadloom.json.',
    ])
  })
})

test('a wrapper in the repository brings its own Maven or Gradle', () => {
  const plan = of({ 'pom.xml': '<project/>', mvnw: '' })
  expect(versions(plan)).toEqual(['java 21'])
  const wrapper = { gradlew: '', 'gradle/wrapper/gradle-wrapper.jar': '' }
  expect(of({ 'build.gradle': '', ...wrapper }).missing).toEqual([])
  expect(of({ 'build.gradle': '', gradlew: '' }).missing[0]).toContain('commit its wrapper')
})

test('a repository without anything gets the image as it is', () => {
  expect(of({ 'README.md': '' })).toEqual(noToolchains)
  expect(of({ 'package.json': '{}', 'requirements.txt': '' })).toMatchObject({ release: 'bookworm', installs: [] })
})

test('beadloom.json overrules the files, and false leaves a tool out', () => {
  const files = [claim('go', '1.22.3'), claim('ruby')]
  const plan = chooseToolchains(withOwn(files, { go: '1.23', ruby: false, deno: '*' }))
  expect(versions(plan)).toEqual(['go 1.23.12', 'deno 2'])
  expect(plan.toolchains.map(toolchainWords)[0]).toBe("Go 1.23.12 from Go's module proxy, for Go 1.23 (beadloom.json)")
})

longTest('whatever a repository writes, only our own words reach the install commands', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 100 }),
    fc.constantFrom(
      '1.2.3; rm -rf /',
      '$(id)',
      '1.22.3\ndebian evil',
      '../../../etc',
      'https://evil.example/1.2.3',
      '9'.repeat(80),
      '>=1.2.3 `id`',
      '1.99999.99999',
    ),
  )
  const claims = fc.array(
    fc.record({ tool: fc.constantFrom(...tools), version: fc.option(hostile), least: fc.boolean() }),
    { maxLength: 12 },
  )
  fc.assert(
    fc.property(claims, (wanted) => {
      const plan = chooseToolchains(wanted.map(({ tool, version, least }) => claim(tool, version, least)))
      expect(installLines(plan.installs)).toMatch(/^(?:[a-z]+ [@a-z0-9][a-z0-9.+/@=-]*\n)*$/)
      expect(plan.official ?? '').toMatch(/^[a-z0-9.:/-]*$/)
    }),
  )
})

test.each([
  ['debian', 'x; id'],
  ['debian', '-o=x'],
  ['npm', 'x@https://evil.example/y.tgz'],
  ['npm', '../x@1'],
  ['pypi', 'x==1 --index-url=y'],
  ['go', '1.2.3/../x'],
  ['node', 'latest'],
] as const)('an install that none of our tables has is a bug: %s %s', (by, what) => {
  expect(() => installLines([{ by, what }])).toThrow('cannot be installed')
})
