import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changedLines, dataOf, isOurs, unitFile, type UnitFacts } from './unit-file.ts'
import { isSafe } from './unit-words.ts'

const plain: UnitFacts = {
  node: '/opt/beadloom/node',
  bin: '/opt/beadloom/bin.mjs',
  data: '/srv/beadloom',
  environmentFile: '/home/me/.config/beadloom/env',
  variables: { PATH: '/usr/bin:/bin' },
  isRoot: false,
}
const linesOf = (facts: UnitFacts): string[] => unitFile(facts).split('\n')

test('a unit starts this Node and this program on this data folder', () => {
  expect(linesOf(plain)).toContain('ExecStart=/opt/beadloom/node /opt/beadloom/bin.mjs start --data /srv/beadloom')
  expect(linesOf(plain)).toContain('Environment=PATH=/usr/bin:/bin')
  expect(linesOf(plain)).toContain('EnvironmentFile=-/home/me/.config/beadloom/env')
})

test('a unit knows that it is ours, and its data folder', () => {
  expect(isOurs(unitFile(plain))).toBe(true)
  expect(dataOf(unitFile({ ...plain, data: '/a b/%' }))).toBe('/a b/%')
  expect(isOurs(unitFile(plain).replace('# Made', '# made'))).toBe(false)
  expect(dataOf('[Unit]\n')).toBeNull()
})

test('differences between two units are listed in lines', () => {
  expect(changedLines(unitFile(plain), unitFile({ ...plain, variables: {} }))).toEqual([
    '- Environment=PATH=/usr/bin:/bin',
  ])
  expect(changedLines(unitFile(plain), unitFile(plain))).toEqual([])
})

test('only root, who unpacks Debian packages, may mount and have namespaces', () => {
  expect(unitFile(plain)).toMatch(/^RestrictNamespaces=yes$/m)
  expect(unitFile({ ...plain, isRoot: true })).not.toMatch(/RestrictNamespaces|@mount/)
})

test.each([
  ['a line end', '/a\nExecStartPre=/bin/evil', false],
  ['a carriage return', '/a\rb', false],
  ['a zero byte', '/a\0', false],
  ['half of a character', '/a\ud800', false],
  ['everything that can be printed', `/ "'\\%$;#~ä…`, true],
])('a path with %s can be in a unit: %3$s', (_, path, safe) => expect(isSafe(path)).toBe(safe))

const SYSTEMD = '/lib/systemd/systemd'
const hasSystemd = existsSync(SYSTEMD) && spawnSync('systemd-analyze', ['--version']).status === 0
if (!hasSystemd && process.env['REQUIRE_ALL'])
  test('systemd is available', () => expect.fail('apt-get install systemd'))

describe.skipIf(!hasSystemd)(`systemd itself${hasSystemd ? '' : ' (skipped: apt-get install systemd)'}`, () => {
  let folder: string
  /** Not root: systemd refuses to show root the parsed unit. */
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'bl-unit-'))
    chmodSync(folder, 0o755)
    mkdirSync(join(folder, 'run'), { mode: 0o777 })
    chmodSync(join(folder, 'run'), 0o777)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  function written(name: string, change: Partial<UnitFacts>): { file: string; place: string; env: NodeJS.ProcessEnv } {
    const place = join(folder, name)
    mkdirSync(place, { recursive: true })
    if (!existsSync(join(place, 'node'))) symlinkSync('/bin/true', join(place, 'node'))
    const at = { node: join(place, 'node'), bin: join(place, 'bin.mjs'), data: place }
    const units = mkdtempSync(join(folder, 'units-'))
    chmodSync(units, 0o755)
    const file = join(units, 'beadloom.service')
    writeFileSync(file, unitFile({ ...plain, ...at, environmentFile: join(place, 'env'), ...change }))
    const run = join(folder, 'run')
    const env = {
      ...process.env,
      HOME: run,
      XDG_RUNTIME_DIR: run,
      SYSTEMD_UNIT_PATH: `${units}:`,
      SYSTEMD_LOG_TARGET: 'console',
    }
    return { file, place, env }
  }

  test.each([
    ['plain'],
    ['a space, 100 %h %% %;#~ünï'],
    [`"quotes", 'more' and back\\slash\\x41`],
    ['$HOME ${X} "$X"'],
  ])('accepts a unit of paths like %s, and reads back the intended paths', (name) => {
    const value = `${name} \\ "$PATH" %d`
    const { file, place, env } = written(name, {
      variables: { PATH: `/bin:${join(folder, name)}`, BEADLOOM_MODEL: value },
    })
    const verified = spawnSync('systemd-analyze', ['verify', '--user', '--man=no', file], { env, encoding: 'utf8' })
    // Other lines are about units that this machine lacks.
    expect(verified.stderr.split('\n').filter((line) => line.includes('beadloom.service'))).toEqual([])
    expect(verified.status).toBe(0)
    const read = execFileSync(SYSTEMD, ['--user', '--test', '--unit=beadloom.service'], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      ...nobody,
    })
    const dump = read.split('-> Unit ').find((part) => part.startsWith('beadloom.service:')) ?? ''
    const of = (setting: string) =>
      [...dump.matchAll(new RegExp(`^\\s*${setting}: (.*)$`, 'gm'))].map(([, text]) => text ?? '')
    // systemd prints a command line as a shell would read it.
    const [line = ''] = of('Command Line')
    const words = execFileSync('sh', ['-c', `for word in ${line}; do printf '%s\\n' "$word"; done`], {
      encoding: 'utf8',
    })
    expect(
      words
        .trimEnd()
        .split('\n')
        .filter((word) => word !== '/usr/bin/env'),
    ).toEqual([join(place, 'node'), join(place, 'bin.mjs'), 'start', '--data', place])
    expect(of('Environment')).toEqual([`PATH=/bin:${place}`, `BEADLOOM_MODEL=${value}`])
    expect(of('EnvironmentFile')).toEqual([`-${join(place, 'env')}`])
  })
})
