import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { HandClock } from '../../ports/testing/hand-clock.ts'
import type { AskProgram, Ended } from './ask-program.ts'
import { install, status, uninstall, type ServiceDeps } from './service.ts'
import { installedText, statusText } from './service-text.ts'
import type { UnitFacts } from './unit-file.ts'
import { unitPath } from './unit-on-disk.ts'
import { noServiceOn, UserManager } from './user-manager.ts'

const SERVICE_PID = 4001
const facts: UnitFacts = {
  node: '/opt/node',
  bin: '/opt/bin.mjs',
  data: '/srv/beadloom',
  environmentFile: '/home/me/.config/beadloom/env',
  variables: {},
  isRoot: false,
}

/** A well-behaved manager, with a server that is up as soon as it is started. `fault` answers first. */
class Machine {
  calls: string[] = []
  pid: number | null = null
  enabled = 'disabled'
  state = 'inactive'
  crashes = false
  slow = false
  /** The pid of a server in another terminal. */
  other: number | null = null
  linger = 'yes'
  fault: (call: string) => Ended | null = () => null

  ask: AskProgram = async (program, args) => {
    const call = [program, ...args.filter((arg) => arg !== '--user')].join(' ')
    this.calls.push(call)
    return this.fault(call) ?? { code: 0, out: this.#answer(call), err: '' }
  }

  #answer(call: string): string {
    if (call.startsWith('loginctl')) return `${this.linger}\n`
    if (call.startsWith('systemctl show'))
      return `LoadState=loaded\nActiveState=${this.state}\nResult=${this.crashes ? 'exit-code' : 'success'}\nMainPID=${this.pid ?? 0}\nUnitFileState=${this.enabled}\n`
    if (/enable beadloom/.test(call)) this.enabled = 'enabled'
    if (/start beadloom/.test(call)) [this.state, this.pid] = this.crashes ? ['failed', null] : ['active', SERVICE_PID]
    if (/disable --now/.test(call)) [this.state, this.pid, this.enabled] = ['inactive', null, 'disabled']
    return ''
  }

  changes = (): string[] => this.calls.filter((call) => !/ show/.test(call) && !/show-user/.test(call))
}

let folder: string
let path: string
let machine: Machine
let deps: ServiceDeps
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bl-service-'))
  path = unitPath(join(folder, 'con fig'))
  machine = new Machine()
  deps = {
    manager: new UserManager(machine.ask, { user: 'me', isBooted: true }),
    path,
    serverOn: async () => {
      const pid = machine.other ?? (machine.slow ? null : machine.pid)
      return pid === null ? null : { url: 'http://127.0.0.1:4600', pid }
    },
    cgroupOf: async (pid) =>
      pid === SERVICE_PID ? '0::/user.slice/user@1000.service/app.slice/beadloom.service\n' : '0::/init.scope\n',
    lastWords: async () => 'beadloom: port 4600 is in use',
    clock: new HandClock(1_000),
  }
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const unit = (): string => readFileSync(path, 'utf8')
function put(text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

describe('an installation', () => {
  test('writes the unit, enables it, starts it and says where the server is', async () => {
    const done = await install(facts, deps)
    expect(done).toEqual({
      unit: path,
      change: 'new',
      changes: [],
      data: '/srv/beadloom',
      url: 'http://127.0.0.1:4600',
      lingers: true,
    })
    expect(unit()).toContain('ExecStart=/opt/node /opt/bin.mjs start --data /srv/beadloom')
    expect(readdirSync(dirname(path))).toEqual(['beadloom.service'])
    expect(machine.changes()).toEqual([
      'systemctl daemon-reload',
      'systemctl enable beadloom.service',
      'systemctl reset-failed beadloom.service',
      'systemctl start beadloom.service',
    ])
  })

  test('a second time changes nothing and restarts nothing', async () => {
    await install(facts, deps)
    expect(await install(facts, deps)).toMatchObject({ change: 'none', changes: [] })
    expect(machine.calls.some((call) => call.includes('restart'))).toBe(false)
  })

  test('from elsewhere says what it changed, and restarts the service that runs', async () => {
    await install(facts, deps)
    const done = await install({ ...facts, bin: '/opt/new.mjs' }, deps)
    expect(done).toMatchObject({
      change: 'changed',
      changes: [
        '- ExecStart=/opt/node /opt/bin.mjs start --data /srv/beadloom',
        '+ ExecStart=/opt/node /opt/new.mjs start --data /srv/beadloom',
      ],
    })
    expect(machine.changes().at(-1)).toBe('systemctl restart beadloom.service')
  })

  test('says how the service can outlive a login, and which keys it lacks', async () => {
    machine.linger = 'no'
    const text = installedText(await install(facts, deps), {
      missing: ['OPENAI_API_KEY'],
      environmentFile: '/e/env',
      sudo: 'ann',
    })
    expect(text).toContain('loginctl enable-linger')
    expect(text).toContain('OPENAI_API_KEY. If it needs them, put them into /e/env')
    expect(text).toContain('not that of ann')
  })

  test('reports why the server ended, in its own words', async () => {
    machine.crashes = true
    await expect(install(facts, deps)).rejects.toThrow(/the server ended \(exit-code\)[\s\S]*port 4600 is in use/)
  })

  test('does not wait for a server for ever', async () => {
    machine.slow = true
    expect(await install(facts, deps)).toMatchObject({ url: null })
  })
})

describe('an installation is refused, and nothing is changed,', () => {
  const refused = async (why: RegExp) => {
    await expect(install(facts, deps)).rejects.toThrow(why)
    expect(machine.changes()).toEqual([])
  }

  test('if a unit of that name is not ours', async () => {
    put('[Service]\nExecStart=/bin/true\n')
    await refused(/was not made by "beadloom service install"/)
    expect(unit()).toBe('[Service]\nExecStart=/bin/true\n')
  })

  test('if it is masked, or a link to somewhere', async () => {
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync('/dev/null', path)
    await refused(/masked/)
    rmSync(path)
    symlinkSync('/elsewhere', path)
    await refused(/link to \/elsewhere/)
  })

  test('if a folder is in its place', async () => {
    mkdirSync(path, { recursive: true })
    await refused(/is a folder/)
  })

  test('if a server that is not the service runs on the data folder', async () => {
    machine.other = 77
    await refused(/already runs on \/srv\/beadloom at http:\/\/127\.0\.0\.1:4600 \(process 77\)/)
  })

  test('without systemd', async () => {
    machine.fault = () => 'missing'
    await refused(/there is no systemd here/)
    deps.manager = new UserManager(machine.ask, { user: 'me', isBooted: false })
    machine.fault = () => ({ code: 1, out: '', err: 'Failed to connect to bus: No medium found' })
    await refused(/there is no systemd here/)
  })

  test('if the manager of the user does not answer', async () => {
    machine.fault = () => ({ code: 1, out: '', err: 'Failed to connect to bus: No medium found' })
    await refused(/manager of the user me does not answer[\s\S]*enable-linger me/)
  })
})

test('a refusal of systemctl is reported in its words', async () => {
  machine.fault = (call) => (call.includes('enable') ? { code: 1, out: '', err: 'Access denied\u001b[2J\n' } : null)
  await expect(install(facts, deps)).rejects.toThrow(
    'enabling the service failed. "systemctl --user enable beadloom.service" says: Access denied',
  )
})

test('a folder that cannot be written is named', async () => {
  writeFileSync(join(folder, 'con fig'), '')
  await expect(install(facts, deps)).rejects.toThrow(/(cannot be (read|written)).*(ENOTDIR|EEXIST)/)
})

describe('the state of a service', () => {
  test('that runs includes what another installation would change', async () => {
    await install(facts, deps)
    const now = await status((data) => ({ ...facts, data, node: '/opt/other' }), deps)
    expect(now).toMatchObject({
      installed: true,
      data: '/srv/beadloom',
      url: 'http://127.0.0.1:4600',
      state: { state: 'active' },
    })
    expect(statusText(now)).toMatch(/^✓ active \(process 4001\), enabled: http[\s\S]*\+ ExecStart=\/opt\/other/)
  })

  test('that does not exist, or is not ours, is recognised', async () => {
    expect(statusText(await status(() => null, deps))).toMatch(/^The service is not installed/)
    put('[Service]\n')
    expect(statusText(await status(() => null, deps))).toMatch(/^! .* was not made by/)
  })

  test('that was stopped says so', async () => {
    await install(facts, deps)
    ;[machine.state, machine.pid] = ['failed', null]
    expect(statusText(await status(() => facts, deps))).toMatch(
      /^✕ failed \(success\), enabled\n[\s\S]*systemctl --user start/,
    )
  })
})

describe('an uninstallation', () => {
  test('stops the service and removes its unit; a second one finds nothing', async () => {
    await install(facts, deps)
    machine.calls = []
    expect(await uninstall(deps)).toBe(true)
    expect(readdirSync(dirname(path))).toEqual([])
    expect(machine.changes()).toEqual(['systemctl disable --now beadloom.service', 'systemctl daemon-reload'])
    expect(await uninstall(deps)).toBe(false)
  })

  test('leaves the unit if the service cannot be stopped, and leaves other units alone', async () => {
    await install(facts, deps)
    machine.fault = (call) => (call.includes('disable') ? { code: 1, out: '', err: 'Failed' } : null)
    await expect(uninstall(deps)).rejects.toThrow('stopping the service failed')
    expect(unit()).not.toBe('')
    put('[Service]\n')
    await expect(uninstall(deps)).rejects.toThrow('was not made by')
  })
})

test('on a system without systemd the remedy is named', () => {
  expect(noServiceOn('linux')).toBeNull()
  expect(noServiceOn('darwin')).toContain('LaunchAgents')
  expect(noServiceOn('win32')).toContain('docker run')
})
