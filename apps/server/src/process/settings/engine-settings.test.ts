import { expect, test } from 'vitest'
import { ConfigError } from '@beadloom/core/settings/config-error.ts'
import { runtimeOf, slotsSharing } from './engine-settings.ts'
import { readSettings } from './settings.ts'

const settingsWith = (config: object) =>
  readSettings({
    flags: { data: '/data' },
    env: {},
    configFile: JSON.stringify(config),
    cwd: '/',
    defaults: { scenarios: '/scenarios' },
  })

function problemsWith(config: object): readonly string[] {
  try {
    settingsWith(config)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

const cluster = { namespace: 'agents', images: { registry: 'registry.example/beadloom' } }

test('engines have names, and one of them can be the default', () => {
  const engines = { box: { docker: 'ssh://me@box' }, cluster: { kubernetes: cluster } }
  const settings = settingsWith({ engines, engine: 'cluster' })
  expect([...settings.engines]).toEqual(Object.entries(engines))
  expect(settings.engine).toBe('cluster')
  expect(settingsWith({}).engine).toBeNull()
  expect(settingsWith({ engine: 'local' }).engine).toBe('local')
})

test.each([
  [{ engine: 'box' }, 'there is no engine "box" under "engines"'],
  [{ engines: { local: { docker: 'ssh://me@box' } } }, '"local" is there by itself'],
  [{ engines: { box: { docker: 'box:22' } } }, '"engines.box.docker": must be an address of Docker'],
  [{ engines: { box: {} } }, '"engines.box": must have "docker" (an address) or "kubernetes", and not both'],
  [{ engines: { c: { kubernetes: { ...cluster, namespace: 'A B' } } } }, 'engines.c.kubernetes.namespace'],
  [{ engines: { c: { kubernetes: { ...cluster, images: {} } } } }, 'must have "registry" or "load", and not both'],
  [{ engines: { c: { kubernetes: { ...cluster, images: { registry: 'https://r.example' } } } } }, 'without https://'],
  [{ engines: { c: { kubernetes: { ...cluster, writable: ['go'] } } } }, 'must be the absolute path of a folder'],
  [
    { engines: { c: { kubernetes: { ...cluster, writable: ['/a/../etc'] } } } },
    'must be the absolute path of a folder',
  ],
  [{ engines: { c: { kubernetes: { ...cluster, writable: ['/opt'] } } } }, 'must neither hold one of /workspace,'],
  [{ engines: { c: { kubernetes: { ...cluster, writable: ['/etc/ssl'] } } } }, 'nor lie in it'],
  [{ engines: { c: { kubernetes: { ...cluster, writable: ['/go', '/go/pkg'] } } } }, 'or one that lies in another'],
  [{ engines: { c: { kubernetes: cluster, runtime: 'runsc' } } }, 'pods have a "runtimeClass" under "kubernetes"'],
  [{ engines: { box: { docker: 'ssh://me@box', runtime: 'a b' } } }, '"engines.box.runtime": must be the name of a'],
  [{ runtime: '--privileged' }, '"runtime": must be the name of a runtime'],
  [{ engines: { c: { kubernetes: { ...cluster, qeue: 'x' } } } }, 'qeue'],
])('%j is refused, with the place and the reason', (config, words) => {
  expect(problemsWith(config).join('\n')).toContain(words)
})

test('pods of a cluster may have writable folders of their own', () => {
  const engines = {
    c: { kubernetes: { ...cluster, writable: ['/go', '/usr/local/cargo', '/var/cache/x', '/.cache'] } },
  }
  expect([...settingsWith({ engines }).engines]).toEqual(Object.entries(engines))
})

test('the runtime for all Docker engines applies to each that names none itself', () => {
  const engines = { box: { docker: 'ssh://me@box' }, old: { docker: 'ssh://me@old', runtime: 'runc' } }
  const settings = settingsWith({ runtime: 'runsc', engines })
  expect(['local', 'box', 'old'].map((name) => runtimeOf(name, settings))).toEqual(['runsc', 'runsc', 'runc'])
  expect(runtimeOf('box', settingsWith({ engines }))).toBeNull()
})

test('the memory of a host is shared by the slots of its own engine, and by nobody on a cluster or with slots by capacity', () => {
  const settings = settingsWith({
    slots: 3,
    engines: {
      box: { docker: 'ssh://me@box' },
      large: { docker: 'ssh://me@large', slots: 20 },
      measured: { docker: 'ssh://me@measured', slots: 'capacity' },
      cluster: { kubernetes: cluster, slots: 20 },
    },
  })
  const names = ['local', 'box', 'large', 'measured', 'cluster']
  expect(names.map((name) => slotsSharing(name, settings))).toEqual([3, 3, 20, null, null])
})
