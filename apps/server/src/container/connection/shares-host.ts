import { hostname, release } from 'node:os'
import type { EngineAddress } from './address.ts'

/**
 * Whether a socket of this machine works in a container that it is mounted into: if the engine runs beside the server,
 * on one kernel and one file system. `why` is a sentence without its end.
 */
export type SharesHost = { shares: boolean | 'unknown'; why: string }

/** The engine's description of its machine. */
export type EngineMachine = { OperatingSystem?: string; Name?: string; KernelVersion?: string }

export type ThisMachine = { platform: string; kernel: string; name: string }

export const thisMachine = (): ThisMachine => ({ platform: process.platform, kernel: release(), name: hostname() })

/** Programs that run an engine in a virtual machine, recognized by the names of its system and machine. */
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
  // A forwarded socket of a machine with the same kernel, or a server that itself runs in a container.
  if (name !== here.name)
    return { shares: 'unknown', why: `the engine's machine is called ${name}, this one ${here.name}` }
  return { shares: true, why: 'the engine runs on this machine' }
}
