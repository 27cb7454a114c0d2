import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { resolveSettings, type ProjectConfig, type ProjectSettings } from '../../project/project-config.ts'
import { filesOf } from '../../testing/sample-repository.ts'
import { detected } from '../commands/detected.ts'
import { look } from '../look.ts'
import { noToolchains } from '../toolchains/offer.ts'
import { featuresDockerfile } from './features-dockerfile.ts'
import { kitDockerfile, kitFor } from './kit.ts'
import type { DevcontainerPlan } from './devcontainer-plan.ts'

const FILE = '.devcontainer/devcontainer.json'

const lookAt = (json: object, files: Record<string, string> = {}) =>
  look(filesOf({ [FILE]: JSON.stringify(json, null, 1), ...files }))
const settingsOf = (json: object, files: Record<string, string> = {}, config: ProjectConfig = {}): ProjectSettings =>
  resolveSettings(config, detected(lookAt(json, files)), 'x', 'main')
const planOf = (json: object, files: Record<string, string> = {}): DevcontainerPlan =>
  detected(lookAt(json, files)).devcontainer!

const GO = 'mcr.microsoft.com/devcontainers/go:1-1.23-bookworm'

describe('an image', () => {
  test('that means a language is that, or its toolchain if it cannot be pulled', () => {
    const { devcontainer, toolchains } = settingsOf({ image: GO }, { 'go.mod': 'go 1.21\n' })
    expect(devcontainer).toMatchObject({ image: null, official: GO, missing: [] })
    expect(toolchains).toMatchObject({
      official: GO,
      toolchains: [{ tool: 'go', version: '1.23.12', place: { file: FILE, line: 2 } }],
    })
  })

  test('is not pulled if the files or a feature ask for more than it has', () => {
    expect(settingsOf({ image: GO }, { Gemfile: '' }).toolchains.official).toBeNull()
    const feature = { 'ghcr.io/devcontainers/features/rust:1': {} }
    const { official, toolchains } = settingsOf({ image: GO, features: feature }).toolchains
    expect(official).toBeNull()
    expect(toolchains.map(({ tool }) => tool)).toEqual(['rust', 'go'])
  })

  test('whose language is older than the manifest asks for is not used, and the conflict is reported', () => {
    const image = 'mcr.microsoft.com/devcontainers/javascript-node:0-14'
    const files = { 'package.json': '{ "engines": { "node": ">= 20" } }' }
    const { toolchains } = settingsOf({ image }, files)
    expect(toolchains.official).toBeNull()
    expect(toolchains.toolchains).toMatchObject([{ tool: 'node', version: '24', place: { file: 'package.json' } }])
    expect(lookAt({ image }, files).conflicts).toMatchObject([
      { taken: { version: '>= 20' }, other: { version: '14' } },
    ])
  })

  test('of anybody else is used as it is, and says itself what it has', () => {
    const { devcontainer, toolchains } = settingsOf({ image: 'example.org/dev:1' }, { 'go.mod': '' })
    expect(devcontainer).toMatchObject({ image: 'example.org/dev:1', official: null })
    expect(toolchains).toEqual(noToolchains)
  })

  test.each([
    ['mcr.microsoft.com/devcontainers/python:3.13', 'python', '3.13'],
    ['mcr.microsoft.com/devcontainers/typescript-node:1-20-bookworm', 'node', '20'],
    ['mcr.microsoft.com/vscode/devcontainers/rust', 'rust', null],
    ['mcr.microsoft.com/devcontainers/java:dev-17-bookworm', 'java', '17'],
  ])('%s is %s %s', (image, tool, version) => {
    expect(lookAt({ image }).tools).toMatchObject([{ tool, version, confidence: 'said' }])
  })
})

describe('a service of a compose file', () => {
  const composed = (text: string) =>
    lookAt(
      { dockerComposeFile: '../compose.yaml', service: 'app' },
      { 'compose.yaml': `services:\n  db: { image: "postgres:16" }\n  app: ${text}\n` },
    )

  test('is used with its image or its build, with its line', () => {
    expect(composed('{ image: "example.org/dev:1" }').devcontainer).toMatchObject({
      image: 'example.org/dev:1',
      from: { file: 'compose.yaml', line: 3 },
    })
    expect(composed('{ build: ci }').devcontainer?.dockerfile).toEqual({
      path: 'ci/Dockerfile',
      context: 'ci',
      args: {},
      target: null,
    })
    const parts = '{ build: { context: ., dockerfile: ci/dev, target: dev, args: [A=1, "B=${SECRET}"] } }'
    expect(composed(parts).devcontainer?.dockerfile).toEqual({
      path: 'ci/dev',
      context: '',
      args: { A: '1' },
      target: 'dev',
    })
  })

  test('is refused if it is built outside the repository', () => {
    const { devcontainer, refused } = composed('{ build: ../.. , image: x }')
    expect(devcontainer).toMatchObject({ image: null, dockerfile: null })
    expect(refused.map(({ what }) => what)).toEqual(['services.app.build'])
  })
})

describe('features', () => {
  const known = (name: string, options: unknown) =>
    lookAt({ features: { [`ghcr.io/devcontainers/features/${name}:1`]: options } })

  test('that everybody uses are toolchains of ours, with the line that asks for them', () => {
    expect(known('java', { version: '17', installMaven: true }).tools).toMatchObject([
      { tool: 'java', version: '17', from: { file: FILE, line: 3 } },
      { tool: 'maven', version: null },
    ])
    expect(known('php', 'latest').tools.map(({ tool }) => tool)).toEqual(['php', 'composer'])
    expect(known('common-utils', {}).devcontainer?.features).toMatchObject([{ is: 'there' }])
  })

  test('that need an engine are refused', () => {
    const { refused, devcontainer } = known('docker-in-docker', {})
    expect(refused.map(({ what }) => what)).toEqual(['features.ghcr.io/devcontainers/features/docker-in-docker:1'])
    expect(devcontainer?.features).toEqual([])
  })

  test('of an unknown registry stop the project, with advice', () => {
    expect(planOf({ features: { 'ghcr.io/devcontainers/features/terraform:1': {} } }).missing).toEqual([
      `${FILE}:3 asks for the feature ghcr.io/devcontainers/features/terraform:1, which only its registry has and Beadloom does not fetch: put what it installs into a Dockerfile, copy it into a folder beside ${FILE} ("./NAME"), or set "devcontainer" to false in beadloom.json.`,
    ])
  })

  test('over an image of its own are copied, if they can be', () => {
    const features = { 'ghcr.io/devcontainers/features/go:1': { version: '1.24' } }
    const { tools, missing } = planOf({ image: 'example.org/x:1', features })
    expect(missing).toEqual([])
    expect(kitFor(tools)).toMatchObject({
      official: null,
      installs: expect.arrayContaining([{ by: 'go', what: '1.24.13' }]),
    })
    expect(kitDockerfile(tools)).toContain('COPY --from=kit /usr/local/go /usr/local/go')
    const python = { 'ghcr.io/devcontainers/features/python:1': {} }
    expect(planOf({ image: 'example.org/x:1', features: python }).missing).toEqual([
      expect.stringContaining('adds Python to an image of its own'),
    ])
    expect(planOf({ features: python }).missing).toEqual([])
  })
})

describe('a feature of the repository', () => {
  const files = {
    '.devcontainer/tool/install.sh': 'echo',
    '.devcontainer/tool/devcontainer-feature.json': JSON.stringify({
      options: { version: { default: '1' }, 'with-docs': { default: false } },
      containerEnv: { PATH: '/opt/tool/bin:${PATH}', BAD: '${localEnv:HOME}' },
      capAdd: ['SYS_PTRACE'],
    }),
  }

  test('runs with its options as variables, and its defaults', () => {
    const plan = planOf({ features: { './tool': { version: "it's; $(id)" } } }, files)
    expect(plan.features).toMatchObject([
      { folder: '.devcontainer/tool', variables: { VERSION: "it's; $(id)", WITH_DOCS: 'false' } },
    ])
    const text = featuresDockerfile(plan) ?? ''
    expect(text).toContain('ENV PATH="/opt/tool/bin:${PATH}"\n')
    expect(text).toContain('COPY [".devcontainer/tool/","/tmp/beadloom-features/0/"]')
    expect(text).toContain(String.raw`export VERSION='it'\\''s; $(id)'`)
    expect(text).not.toContain('BAD')
    expect(
      text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => line.split(' ')[0]),
    ).toEqual(['ARG', 'FROM', 'USER', 'ENV', 'COPY', 'RUN'])
  })

  test('gets nothing that would weaken the container, and its folder must exist', () => {
    expect(lookAt({ features: { './tool': {} } }, files).refused.map(({ what }) => what)).toEqual(['./tool: capAdd'])
    const { refused, devcontainer } = lookAt({ features: { '../../x': {}, './none': {} } })
    expect(refused.map(({ what }) => what)).toEqual(['features.../../x', 'features../none'])
    expect(devcontainer?.features).toEqual([])
  })
})

test('variables are the container’s, without values that only the host knows', () => {
  const env = {
    PLAIN: 'a "b" $HOME \\',
    WHERE: '${containerWorkspaceFolder}/x',
    PATH: '${containerEnv:PATH}:/x',
    HOST: '${localEnv:SECRET}',
    LINE: 'a\nRUN id',
    'B AD': 'x',
  }
  const text = featuresDockerfile(planOf({ image: 'example.org/x:1', containerEnv: env })) ?? ''
  expect(text.split('\n').slice(3)).toEqual([
    String.raw`ENV PLAIN="a \"b\" \$HOME \\"`,
    'ENV WHERE="/workspace/x"',
    'ENV PATH="${PATH}:/x"',
    '',
  ])
})

describe('beadloom.json', () => {
  const json = { image: 'example.org/dev:1', postCreateCommand: 'make tools' }

  test.each<[string, ProjectConfig]>([
    ['an image', { image: 'debian:12' }],
    ['a Dockerfile', { dockerfile: 'Dockerfile' }],
    ['toolchains', { toolchains: { go: '1.24' } }],
  ])('overrules it by %s', (_, config) => {
    const { devcontainer, setup } = settingsOf(json, {}, config)
    expect(devcontainer).toBeNull()
    expect(setup).toBeNull()
  })

  test('overrules it by a word, or names one of several', () => {
    const others = { 'beadloom.json': '{"devcontainer": false}' }
    expect(settingsOf(json, others).devcontainer).toBeNull()
    const named = { 'beadloom.json': '{"devcontainer": ".devcontainer/b/devcontainer.json"}' }
    const b = {
      '.devcontainer/b/devcontainer.json':
        '{"build": {"dockerfile": "Dockerfile", "target": "dev", "args": {"A": "1", "B": "${localEnv:B}"}}}',
    }
    expect(settingsOf(json, { ...named, ...b }).devcontainer?.dockerfile).toEqual({
      path: '.devcontainer/b/Dockerfile',
      context: '.devcontainer/b',
      args: { A: '1' },
      target: 'dev',
    })
  })

  test('has its own setup; otherwise the devcontainer’s commands come before those that the files ask for', () => {
    const manifest = { 'package.json': '{}', 'package-lock.json': '{}' }
    expect(settingsOf(json, manifest).setup).toMatch(/^\{ make tools\n\} \|\| echo .* >&2; npm ci$/)
    expect(settingsOf({ ...json, postCreateCommand: 'npm ci' }, manifest).setup).toBe('npm ci')
    expect(settingsOf(json, manifest, { setup: null }).setup).toBeNull()
  })
})

describe('its commands', () => {
  const run = (setup: string | null, files: string[]): string => {
    const folder = mkdtempSync(join(tmpdir(), 'bl-devcontainer-'))
    try {
      const stubs = files.map((name) => `${name}() { echo "$0 ${name} $*"; }\n`).join('')
      const { stdout, status } = spawnSync('sh', ['-c', `${stubs}${setup}`, 'ran'], { cwd: folder, encoding: 'utf8' })
      return `${stdout}${status}`
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }

  test('may fail if a lock file says how everything is installed', () => {
    const { setup } = settingsOf(
      { postCreateCommand: 'cat requirements/gone.txt # old' },
      { 'package-lock.json': '', 'package.json': '{}' },
    )
    expect(run(setup, ['npm'])).toBe('ran npm ci\n0')
  })

  test('are all of setup if nothing else says any, and their failure counts', () => {
    const { setup } = settingsOf({ postCreateCommand: 'cat requirements/gone.txt' })
    expect(run(setup, [])).toBe('1')
  })
})
