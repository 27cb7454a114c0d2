import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

/* What `npm run pack` makes, in an empty folder: nothing of the checkout may be needed. */

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

test('a release says who it is, without a server', () => {
  expect(said('--version')).toMatch(/^\d+\.\d+\.\d+\n$/)
  expect(said('completion', 'bash')).toContain('beadloom')
  expect(existsSync(join(folder, 'app', 'node_modules', 'beadloom', 'apps', 'server', 'src', 'cli'))).toBe(false)
})

type Component = { purl: string; properties?: { name: string; value: string }[] }
type Locked = { packages: Record<string, { version: string; name?: string }> }

test('what it is made from is beside it: all that npm installs with it, and all that is built in', () => {
  const json = <T>(...path: string[]): T => JSON.parse(readFileSync(join(...path), 'utf8')) as T
  const file = readdirSync(folder).find((name) => name.endsWith('.cdx.json')) ?? ''
  const sbom = json<{ bomFormat: string; specVersion: string; components: Component[] }>(folder, file)
  expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' })
  const installed = sbom.components.filter(({ properties = [] }) => properties.some(({ value }) => value === 'true'))
  // The lock has packages for other machines, too, which were not installed here.
  const { packages } = json<Locked>(folder, 'app', 'package-lock.json')
  const locked = Object.entries(packages).flatMap(([path, { version }]) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    return path === '' || name === 'beadloom' ? [] : [`pkg:npm/${name.replace('@', '%40')}@${version}`]
  })
  expect(installed.map(({ purl }) => purl).toSorted()).toEqual([...new Set(locked)].toSorted())
  const names = sbom.components.map(({ purl }) => purl.replace(/@[^@]*$/, ''))
  expect(names).toEqual(expect.arrayContaining(['pkg:npm/express', 'pkg:npm/react', 'pkg:npm/openai', 'pkg:npm/zod']))
  expect(names.filter((name) => /%40beadloom|vitest|playwright/.test(name))).toEqual([])
  const { version } = json<{ version: string }>(root, 'apps', 'server', 'node_modules', 'express', 'package.json')
  expect(sbom.components.map(({ purl }) => purl)).toContain(`pkg:npm/express@${version}`)
})

test('the sums of its files are beside it, as sha256sum checks them', () => {
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
