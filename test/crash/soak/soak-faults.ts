import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { lockDatabase } from '../../support/lock-holder.ts'
import { holdsWithin, tried, type Fault } from './fault.ts'
import { fileFaults } from './file-faults.ts'
import type { SoakStage } from './soak-stage.ts'

const MEMORY_BYTES = 160e6
const DAYS_MS = 86_400_000
const MAKING_MS = 10_000

export const faults: Fault[] = [
  {
    name: 'SIGKILL of the server',
    weight: 12,
    sigkills: true,
    endsServer: true,
    begin: async (stage) => {
      await stage.kill()
      return () => stage.again()
    },
    lasts: [0, 1_500],
  },
  {
    name: 'SIGTERM of the server',
    weight: 1,
    endsServer: true,
    begin: async (stage) => {
      stage.expectEnd()
      await stage.victim.stop()
      return () => stage.again()
    },
    lasts: [0, 1_500],
  },
  {
    name: 'SIGSTOP and SIGCONT of the server',
    weight: 2,
    lasts: [300, 8_000],
    begin: async ({ victim: { pid } }) => {
      process.kill(pid, 'SIGSTOP')
      return async () => void tried(() => process.kill(pid, 'SIGCONT')) // it may be dead by now
    },
  },
  { name: 'docker stop of an agent', weight: 1, begin: onAgent((container) => ['stop', '--time', '3', container]) },
  { name: 'SIGTERM to an agent', weight: 1, begin: onAgent((container) => ['kill', '--signal', 'TERM', container]) },
  { name: 'SIGKILL of an agent', weight: 2, sigkills: true, begin: onAgent((container) => ['kill', container]) },
  {
    name: 'an agent is frozen',
    weight: 1,
    lasts: [300, 5_000],
    begin: async (stage, random) => {
      const container = await anAgent(stage, random)
      if (container === null) return 'not now'
      if (!tried(() => stage.docker('pause', container))) return 'not now'
      return async () => void tried(() => stage.docker('unpause', container))
    },
  },
  {
    name: "a lock on the server's database",
    weight: 2,
    lasts: [200, 5_000],
    begin: async (stage, random) => {
      const file = join(stage.victim.data, 'beadloom.db')
      return lockDatabase(file, random() < 0.3 ? 'EXCLUSIVE' : 'IMMEDIATE').catch(() => 'not now' as const)
    },
  },
  {
    name: 'a full disk under the server',
    weight: 2,
    lasts: [500, 6_000],
    begin: async ({ dataDisk }) => {
      dataDisk.fill()
      return async () => dataDisk.free()
    },
  },
  {
    name: 'a disk under the server that stands still',
    weight: 2,
    lasts: [100, 3_000],
    begin: async ({ dataDisk }) => {
      dataDisk.freeze()
      return async () => dataDisk.thaw()
    },
  },
  {
    name: 'a full disk under the agents',
    weight: 1,
    lasts: [500, 8_000],
    needs: 'own engine',
    begin: async (stage) => {
      const { disk } = stage.engine!
      const again = unlogged(stage)
      disk.fill()
      return async () => {
        disk.free()
        again()
      }
    },
  },
  {
    name: 'the connection to Docker is cut',
    weight: 2,
    lasts: [200, 10_000],
    begin: async ({ gate }) => {
      await gate.shut()
      return () => gate.open()
    },
  },
  {
    name: 'Docker does not answer',
    weight: 2,
    lasts: [200, 10_000],
    begin: async ({ gate }) => {
      gate.hang()
      return async () => gate.passes()
    },
  },
  ...[true, false].flatMap((liveRestore) =>
    (['SIGTERM', 'SIGKILL'] as const).map((signal) => engineRestart(liveRestore, signal)),
  ),
  {
    name: 'the wall clock jumps',
    weight: 1,
    lasts: [500, 6_000],
    begin: async (stage, random) => {
      stage.setClock(Math.round((random() - 0.5) * 4 * DAYS_MS))
      return async () => stage.setClock(0)
    },
  },
  {
    name: 'the server may open no file more',
    weight: 1,
    lasts: [200, 5_000],
    begin: async ({ victim: { pid } }) => {
      const limit = (files: number) =>
        execFileSync('prlimit', ['--pid', String(pid), `--nofile=${files}:20000`], { stdio: 'pipe' })
      limit(readdirSync(`/proc/${pid}/fd`).length + 2)
      return async () => void tried(() => limit(20_000)) // the pid may belong to another process by now
    },
  },
  {
    name: 'little memory for the server',
    weight: 1,
    endsServer: true,
    lasts: [500, 5_000],
    needs: 'memory group',
    begin: async ({ memory }) => (memory!.limit(MEMORY_BYTES) ? async () => void memory!.limit(null) : 'not now'),
  },
  engineRestart(true, 'SIGKILL', true),
  ...fileFaults,
]

function engineRestart(liveRestore: boolean, signal: 'SIGTERM' | 'SIGKILL', atStart = false): Fault {
  return {
    name: `${signal} of dockerd, ${atStart ? 'as a session starts' : `${liveRestore ? 'with' : 'without'} live-restore`}`,
    weight: liveRestore ? 1 : 0.5,
    ...(signal === 'SIGKILL' && { sigkills: true }),
    lasts: [200, 5_000],
    needs: 'own engine',
    begin: async (stage) => {
      const { docker } = stage.engine!
      await docker.liveRestore(liveRestore)
      if (atStart && !(await aContainerIsMade(stage))) return 'not now'
      const back = unlogged(stage)
      await docker.kill(signal)
      return async () => {
        // Nobody may start anything until the watch listens again.
        await stage.gate.shut()
        await docker.begin()
        await stage.victim.watch.again()
        back()
        await stage.gate.open()
      }
    },
  }
}

/** Waits until the engine makes a container for the server; false if it made none for a while. */
function aContainerIsMade({ victim: { watch } }: SoakStage): Promise<boolean> {
  const made = () => watch.happenings.filter(({ action }) => action === 'create').length
  const before = made()
  return holdsWithin(MAKING_MS, () => made() > before)
}

/** Notes that the engine keeps no log, until the returned function is called. */
function unlogged(stage: SoakStage): () => void {
  const time = { from: Date.now(), to: Infinity }
  stage.unlogged.push(time)
  return () => void (time.to = Date.now())
}

/** A fault that runs this on the container of a working agent. */
function onAgent(command: (container: string) => string[]): Fault['begin'] {
  return async (stage, random) => {
    const container = await anAgent(stage, random)
    if (container === null) return 'not now'
    await stage.witness.look()
    return tried(() => stage.docker(...command(container))) ? 'over' : 'not now'
  }
}

async function anAgent({ witness }: SoakStage, random: () => number): Promise<string | null> {
  const running = await witness.running().catch(() => [])
  return running[Math.floor(random() * running.length)]?.container ?? null
}
