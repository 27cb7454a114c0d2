import { readFileSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { containerFacts } from '../crash/container-watch.ts'
import { ledger, ledgerProject } from '../crash/ledger-project.ts'
import { nothingLost } from '../crash/nothing-lost.ts'
import { sized } from '../crash/size.ts'
import { logSoFar, stored } from '../crash/stored.ts'
import { tallyFound } from '../crash/tally.ts'
import { Victim } from '../crash/victim.ts'
import { carriers } from '../support/carriers.ts'

/*
 * A supervisor is killed under its agent: by somebody on the machine, or by the agent itself, which has the same user.
 */

let victim: Victim | null = null
afterEach(async () => {
  await victim?.remove()
  victim = null
})

const LINES = sized(20_000, 1_000_000)
/** An agent that prints much and then waits for its end; started again, it does its work. */
const agent = (dies: string): string =>
  `if [ -e .git/ran ]; then ${ledger('s-1', 'steady', 60)}; else touch .git/ran; seq ${LINES} >&2; ${dies}; exec sleep 600; fi`
/** The parent of the agent's shell is Beadloom's agent process, whose parent is the supervisor. */
const BY_ITSELF = `kill -KILL $(cut -d' ' -f4 /proc/$PPID/stat)`

function supervisorOf(container: string): number {
  const { pid } = containerFacts(container)
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0])
}

test.each(
  carriers.flatMap((carrier) => (['from outside', 'by its own agent'] as const).map((by) => [carrier, by] as const)),
)(
  'over %s, killed %s: the earlier output is complete, and the agent is started again on its work',
  async (carrier, by) => {
    victim = await Victim.start({ carrier })
    const server = victim
    await server.addProject('end', ledgerProject({ 's-1': agent(by === 'from outside' ? 'echo ready' : BY_ITSELF) }))
    const id = await server.queue('end', 's-1')
    /** The log of the first session; empty while there is none. */
    const log = (): string => {
      const execution = stored(server.data).executions[0]!
      const first = execution.sessions.find(({ kind }) => kind === 'work')
      return first ? logSoFar(server.data, execution, first.number) : ''
    }
    if (by === 'from outside') {
      await server.until(id, () => log().includes('› ready'))
      for (const container of server.watch.agents(id)) process.kill(supervisorOf(container), 'SIGKILL')
    }
    await server.ended(id)
    const view = await server.execution(id)
    // It starts again although the retry policy allows no retry here.
    expect(view, view.detail).toMatchObject({ state: 'COMPLETED', attempt: 1, retryCount: 0, retryAttempt: 0 })
    expect(view.sessions.filter(({ kind }) => kind === 'work').map(({ outcome }) => outcome)).toEqual([
      'infra_error',
      'success',
    ])
    await server.stop()
    const numbers = log()
      .split('\n')
      .filter((line) => /^\d+$/.test(line))
    // Output of the shell that our agent had not read yet is gone with both: at most a pipe's content.
    expect(numbers.length).toBeGreaterThan(0)
    const most = by === 'from outside' ? LINES : numbers.length
    expect(numbers).toEqual(Array.from({ length: most }, (_, at) => String(at + 1)))
    const found = nothingLost(server)
    tallyFound(`SIGKILL of the supervisor ${by}, over ${carrier}`, 1, found, 1)
    expect(found.lost).toEqual([])
  },
)
