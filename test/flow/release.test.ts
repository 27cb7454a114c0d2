import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
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
