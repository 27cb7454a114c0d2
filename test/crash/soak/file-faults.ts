import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startedServer } from '../../support/command-line.ts'
import { holdsWithin, tried, Wrong, type Fault } from './fault.ts'
import type { SoakStage } from './soak-stage.ts'

/** A server looks at its files every few seconds, and reports a fault within a minute. */
const NOTICED_MS = 60_000
/** The longest wait for a git of the server, which lives for some milliseconds. */
const GIT_MS = 3_000

/** Faults by people and their tools: in the files of a running server, and in the programs that it runs on them. */
export const fileFaults: Fault[] = [
  {
    name: "the database's log is removed",
    weight: 2,
    begin: async (stage, random) => {
      const log = join(stage.victim.data, 'beadloom.db-wal')
      const before = statSync(log, { throwIfNoEntry: false })?.ino
      if (!stage.isUp || before === undefined) return 'not now'
      rmSync(log)
      if (random() < 0.5) rmSync(join(stage.victim.data, 'beadloom.db-shm'), { force: true })
      // A kill before the server noticed would lose the changes that only the log had: no server could prevent that.
      await holdsWithin(NOTICED_MS, () => !stage.isUp || existsSync(log))
      if (!existsSync(log)) throw new Wrong(`${log} was removed, and nobody has noticed`)
      return 'over'
    },
  },
  {
    name: 'the database is moved away and put back',
    weight: 2,
    lasts: [200, 9_000],
    begin: async ({ victim: { data } }) => {
      const [file, aside] = [join(data, 'beadloom.db'), join(data, 'aside.db')]
      renameSync(file, aside)
      return async () => renameSync(aside, file)
    },
  },
  {
    name: 'another database is in the place of the open one',
    weight: 1,
    alone: true, // a starting server would take it for its own
    lasts: [200, 6_000],
    begin: async ({ victim: { data } }) => {
      const [file, aside, other] = ['beadloom.db', 'aside.db', 'other.db'].map((name) => join(data, name)) as [
        string,
        string,
        string,
      ]
      copyFileSync(file, other)
      renameSync(file, aside)
      renameSync(other, file)
      return async () => renameSync(aside, file)
    },
  },
  {
    name: 'a copy of the data folder is started',
    weight: 0.5,
    begin: async ({ victim: { data }, gate }) => {
      const copy = mkdtempSync(join(tmpdir(), 'bl-soak-copy-'))
      try {
        for (const entry of readdirSync(data, { withFileTypes: true }))
          if (entry.isFile()) copyFileSync(join(data, entry.name), join(copy, entry.name))
        const started = await startedServer(copy, [], { env: { DOCKER_HOST: gate.host } }).catch(String)
        if (typeof started === 'string') return started.includes('is a copy of') ? 'over' : 'not now'
        started.line.child.kill('SIGKILL')
        await started.line.ended
        throw new Wrong('a copy of the data folder was started beside the original')
      } finally {
        rmSync(copy, { recursive: true, force: true })
      }
    },
  },
  {
    name: 'a git of the server is frozen',
    weight: 2,
    lasts: [300, 8_000],
    begin: async (stage, random) => {
      const git = await aGit(stage, random)
      if (git === null || !tried(() => process.kill(git, 'SIGSTOP'))) return 'not now'
      return async () => void tried(() => process.kill(git, 'SIGCONT'))
    },
  },
  {
    name: 'SIGKILL of a git of the server',
    weight: 2,
    sigkills: true,
    begin: async (stage, random) => {
      const git = await aGit(stage, random)
      return git !== null && tried(() => process.kill(git, 'SIGKILL')) ? 'over' : 'not now'
    },
  },
]

/** A random git that the server runs; null if it starts none. */
async function aGit(stage: SoakStage, random: () => number): Promise<number | null> {
  let found: number[] = []
  await holdsWithin(GIT_MS, () => !stage.isUp || (found = gitsOf(stage.victim.pid)).length > 0)
  return found[Math.floor(random() * found.length)] ?? null
}

function gitsOf(server: number): number[] {
  try {
    const children = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8').split(' ').filter(Boolean)
    return children.filter((child) => readFileSync(`/proc/${child}/comm`, 'utf8') === 'git\n').map(Number)
  } catch {
    return [] // a process has just ended
  }
}
