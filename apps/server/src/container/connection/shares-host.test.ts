import { expect, test } from 'vitest'
import { parseAddress } from './address.ts'
import { sharesHost, type EngineMachine } from './shares-host.ts'

const here = { platform: 'linux', kernel: '6.1.0', name: 'laptop' }
const native: EngineMachine = { OperatingSystem: 'Debian GNU/Linux 12', Name: 'laptop', KernelVersion: '6.1.0' }
const shares = (machine: EngineMachine, host = '/var/run/docker.sock', on = here) =>
  sharesHost(parseAddress(host, 'DOCKER_HOST', null), machine, on).shares

test('an engine at a socket of this machine, with its kernel and its name, shares it', () => {
  expect(shares(native)).toBe(true)
})

test.each(['tcp://127.0.0.1:2375', 'ssh://example.org'])('an engine reached by %s does not', (host) => {
  expect(shares(native, host)).toBe(false)
})

test.each<[string, EngineMachine]>([
  ['Docker Desktop', { ...native, OperatingSystem: 'Docker Desktop', Name: 'docker-desktop' }],
  ['OrbStack', { ...native, OperatingSystem: 'OrbStack', Name: 'orbstack' }],
  ['colima', { ...native, Name: 'colima' }],
  ['a profile of colima', { ...native, Name: 'colima-big' }],
  ['Lima', { ...native, Name: 'lima-docker' }],
  ['Rancher Desktop', { ...native, Name: 'lima-rancher-desktop' }],
  ['another kernel', { ...native, KernelVersion: '6.6.1-linuxkit' }],
])('the engine of %s does not: it is in a virtual machine', (_, machine) => {
  expect(shares(machine)).toBe(false)
})

test('no engine does without Linux', () => {
  expect(shares(native, '/var/run/docker.sock', { ...here, platform: 'darwin' })).toBe(false)
})

test('it is unknown for a machine with another name, or an engine that says nothing', () => {
  expect(shares({ ...native, Name: 'other' })).toBe('unknown')
  expect(shares({})).toBe('unknown')
})
