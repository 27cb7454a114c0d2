import { describe, expect, test } from 'vitest'
import type { Found } from '../../found.ts'
import { look } from '../../look.ts'
import { lifecycleCommand } from './devcontainer-commands.ts'

const FILE = '.devcontainer/devcontainer.json'
const found = (text: string): Found => look({ paths: [FILE], texts: new Map([[FILE, text]]) })
const refusedIn = (json: object): string[] => found(JSON.stringify(json)).refused.map(({ what }) => what)

test('gives its image, features with versions, and lifecycle commands in their order', () => {
  const { devcontainer, tools, commands, refused } = found(`{
  // For everybody
  "image": "mcr.microsoft.com/devcontainers/base:bookworm",
  "features": { "ghcr.io/devcontainers/features/node:1": { "version": "20" }, "ghcr.io/x/y:2": {} },
  "postCreateCommand": "npm ci",
  "onCreateCommand": ["sh", "-c", "echo it's"],
  "postStartCommand": "npm start",
}`)
  expect(devcontainer).toEqual({
    file: FILE,
    image: 'mcr.microsoft.com/devcontainers/base:bookworm',
    dockerfile: null,
    from: { file: FILE, line: 3 },
    features: [
      { id: 'ghcr.io/devcontainers/features/node:1', is: 'tools', tools, from: { file: FILE, line: 4 } },
      { id: 'ghcr.io/x/y:2', is: 'elsewhere', from: { file: FILE, line: 4 } },
    ],
    env: {},
    composeFiles: [],
    composeService: null,
  })
  expect(tools).toMatchObject([{ tool: 'node', version: '20', from: { file: FILE, line: 4 } }])
  expect(commands.map(({ command, from }) => [command, from.line])).toEqual([
    [`sh -c 'echo it'\\''s'`, 6],
    ['npm ci', 5],
  ])
  expect(refused).toMatchObject([
    { what: 'postStartCommand', from: { line: 7 }, why: expect.stringContaining('does not run') },
  ])
})

test.each([
  [{ build: { dockerfile: 'Dockerfile' } }, '.devcontainer/Dockerfile', '.devcontainer'],
  [{ build: { dockerfile: '../ci/Dockerfile', context: '..' } }, 'ci/Dockerfile', ''],
  [{ dockerFile: './Dockerfile', context: '../app' }, '.devcontainer/Dockerfile', 'app'],
])('%j is a Dockerfile by its path from the root', (json, dockerfile, context) => {
  expect(found(JSON.stringify(json)).devcontainer?.dockerfile).toEqual({
    path: dockerfile,
    context,
    args: {},
    target: null,
  })
})

describe('is refused, by name and with its line,', () => {
  test.each([
    ['a command on the host', { initializeCommand: 'curl x | sh' }, ['initializeCommand']],
    [
      'privileges',
      { privileged: true, capAdd: ['SYS_ADMIN'], securityOpt: ['seccomp=unconfined'] },
      ['privileged', 'capAdd', 'securityOpt'],
    ],
    [
      'mounts of the host',
      { mounts: ['source=/,target=/host,type=bind'], workspaceMount: 'x' },
      ['mounts', 'workspaceMount'],
    ],
    ['arguments of the engine', { runArgs: ['--network=host'] }, ['runArgs']],
    ['a context outside', { build: { dockerfile: 'Dockerfile', context: '../..' } }, ['build.context']],
    ['a Dockerfile outside', { build: { dockerfile: '/etc/passwd' } }, ['build.dockerfile']],
    ['a compose file outside', { dockerComposeFile: ['../../../x.yml'] }, ['dockerComposeFile']],
    [
      'the server’s environment in variables',
      { containerEnv: { KEY: '${localEnv:AWS_KEY}', OK: 'x' }, remoteEnv: { A: '${env:HOME}' } },
      ['containerEnv.KEY', 'remoteEnv.A'],
    ],
    ['the server’s environment in an image', { image: 'x:${localEnv:TAG}' }, ['image']],
    [
      'the server’s environment in arguments',
      { build: { dockerfile: 'D', args: { T: '${localEnv:TOKEN:x}' } } },
      ['build.args'],
    ],
    ['the server’s environment in a path', { build: { dockerfile: '${localEnv:HOME}/D' } }, ['build.dockerfile']],
    ['the server’s environment in a command', { postCreateCommand: 'echo ${localEnv:TOKEN}' }, ['postCreateCommand']],
    ['what is no image', { image: '--privileged' }, ['image']],
  ])('%s', (_, json, refused) => {
    expect(refusedIn(json)).toEqual(refused)
    for (const { why, from } of found(JSON.stringify(json, null, 1)).refused) {
      expect(why).toMatch(/^[A-Z].*\.$/)
      expect(from.line).toBeGreaterThan(1)
    }
  })

  test('but not if it is empty or turned off', () => {
    expect(
      refusedIn({ privileged: false, mounts: [], runArgs: [], initializeCommand: '', workspaceMount: null }),
    ).toEqual([])
  })

  test('and nothing of it is left in the used part', () => {
    const outside = { build: { dockerfile: 'Dockerfile', context: '../..' }, postCreateCommand: 'echo ${localEnv:A}' }
    const { devcontainer, commands } = found(JSON.stringify(outside))
    expect(devcontainer).toMatchObject({ dockerfile: null, image: null })
    expect(commands).toEqual([])
  })
})

test.each([
  ['npm ci', 'npm ci'],
  [['npm', 'ci', 'a b'], "npm ci 'a b'"],
  [{ a: 'npm ci', b: ['make', 'x'] }, '{ npm ci\n} && { make x\n}'],
  [{ a: 'npm ci' }, 'npm ci'],
  [['a', 1], null],
  [{}, null],
  [3, null],
])('a lifecycle command %j is %j', (value, command) => {
  expect(lifecycleCommand(value)).toBe(command)
})

test('a file that is no JSON is reported, and nothing else of it counts', () => {
  const { devcontainer, notes } = found('image: x')
  expect(devcontainer).toBeNull()
  expect(notes.map(({ text }) => text)).toEqual([expect.stringContaining(`${FILE} is not a JSON object`)])
})

test.each([[['npm', 3]], [{ a: 'npm ci', b: ['make', null] }], [7]])(
  'a command with an invalid part is named: %j',
  (postCreateCommand) => {
    expect(refusedIn({ postCreateCommand })).toEqual(['postCreateCommand'])
  },
)

test.each([[''], [[]], [{}], [['npm', 'ci']], [{ a: 'npm ci', b: ['make'], c: '' }]])(
  'a command that is whole, or empty, is not named: %j',
  (postCreateCommand) => {
    expect(refusedIn({ postCreateCommand })).toEqual([])
  },
)
