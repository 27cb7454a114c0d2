import { hostname, release } from 'node:os'
import type { EngineAddress } from './address.ts'

/**
 * Whether a socket of this machine that is mounted into a container works there: the engine runs beside the server, on
 * one kernel and with one file system. `why` is a sentence without its end.
 */
export type SharesHost = { shares: boolean | 'unknown'; why: string }

/** What an engine says of the machine that it runs on. */
export type EngineMachine = { OperatingSystem?: string; Name?: string; KernelVersion?: string }

export type ThisMachine = { platform: string; kernel: string; name: string }

export const thisMachine = (): ThisMachine => ({ platform: process.platform, kernel: release(), name: hostname() })

/** Programs that bring an engine in a virtual machine of their own, by what it calls its system and itself. */
const virtual: { name: string; is: (system: string, machine: string) => boolean }[] = [
  {
    name: 'Docker Desktop',
    is: (system, machine) => system.startsWith('Docker Desktop') || machine === 'docker-desktop',
  },
  { name: 'OrbStack', is: (system, machine) => system.startsWith('OrbStack') || machine === 'orbstack' },
  {
    name: 'Rancher Desktop',
    is: (system, machine) => system.startsWith('Rancher Desktop') || machine === 'lima-rancher-desktop',
  },
  { name: 'colima', is: (_, machine) => /^(?:lima-)?colima(?:$|-)/.test(machine) },
  { name: 'Lima', is: (_, machine) => machine.startsWith('lima-') },
]

export function sharesHost(address: EngineAddress, machine: EngineMachine, here: ThisMachine): SharesHost {
  if (address.kind !== 'unix')
    return { shares: false, why: `the engine is reached by ${address.kind}, so it may be on another machine` }
  const { OperatingSystem: system = '', KernelVersion: kernel, Name: name = '' } = machine
  const program = virtual.find(({ is }) => is(system, name))?.name
  if (program) return { shares: false, why: `${program} runs its engine in a virtual machine` }
  if (here.platform !== 'linux') return { shares: false, why: 'engines run in a virtual machine on this system' }
  if (!kernel || name === '') return { shares: 'unknown', why: 'the engine does not say which machine it runs on' }
  if (kernel !== here.kernel)
    return { shares: false, why: `the engine runs on another kernel (${kernel}; here ${here.kernel})` }
  // A forwarded socket of a machine with the same kernel, or a server that runs in a container itself.
  if (name !== here.name)
    return { shares: 'unknown', why: `the engine's machine is called ${name}, this one ${here.name}` }
  return { shares: true, why: 'the engine runs on this machine' }
}
