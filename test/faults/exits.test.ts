import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { sized } from '../crash/size.ts'
import { tally } from '../crash/tally.ts'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/*
 * Ways to exit code 137, and processes that an agent leaves running: an exit code says nothing, and no process outlives
 * its container.
 */

let world: World
beforeAll(async () => {
  world = await World.start()
})
afterAll(() => world.stop())

const docker = (...args: string[]): string => execFileSync('docker', args, { encoding: 'utf8' }).trim()
const containerOf = ({ id }: ExecutionView): string =>
  docker('ps', '-q', '--filter', `label=beadloom.execution=${id}`, '--filter', 'label=beadloom.kind=work')

/** Fills the container's memory; the kernel ends the largest process, which is this one. */
const HOG = '/opt/beadloom/bin/node -e "const all = []; for (;;) all.push(Buffer.alloc(1 << 24, 1))"'
const MEMORY = { limits: { memoryMb: 256 } }

type Way = {
  name: string
  agent: string
  config?: object
  during?: (execution: ExecutionView) => Promise<unknown> | void
  end: object
  says: RegExp
}

const ways: Way[] = [
  {
    name: 'a cancel',
    agent: 'trap "" TERM; echo ready; while :; do sleep 1; done\n',
    during: ({ id }) => world.api('POST', `/api/executions/${id}/cancel`),
    end: { state: 'CANCELLED', reason: null },
    says: /^You stopped it/,
  },
  {
    name: 'the deadline',
    agent: 'trap "" TERM; echo ready; while :; do sleep 1; done\n',
    // The checks of the base have the same limit, and take long on a busy machine.
    config: { limits: { executionTimeoutSeconds: 30 } },
    end: { state: 'TIMEOUT', reason: 'wall_clock' },
    says: /^It reached its time limit of 30 s/,
  },
  {
    name: 'silence',
    agent: 'trap "" TERM; echo ready; sleep 600\n',
    config: { limits: { inactivityTimeoutSeconds: 3 } },
    end: { state: 'TIMEOUT', reason: 'silence' },
    says: /^There was no output for 3 s/,
  },
  {
    name: 'a kill by somebody else',
    agent: 'echo ready; sleep 600\n',
    // The server starts it again three times, whatever the retry policy says.
    during: async ({ id }) => {
      for (let start = 1; start <= 4; start++) {
        const last = async () =>
          (await world.execution(id)).sessions.filter(({ kind }) => kind === 'work').at(start - 1)
        let container = ''
        const isUp = async () =>
          (await last())?.state === 'running' && (container = containerOf(await world.execution(id))) !== ''
        await world.until(isUp)
        docker(start % 2 === 0 ? 'stop' : 'kill', container)
      }
    },
    end: { state: 'FAILED', reason: 'infra_error' },
    says: /stopped from outside Beadloom/,
  },
  {
    name: 'a child that ran out of memory, which the agent survived',
    agent: `echo ready; ${HOG}; echo "it ended with $?"; exit 3\n`,
    config: MEMORY,
    end: { state: 'FAILED' },
    says: /exit code 3/,
  },
  {
    name: 'memory that ran out, with the agent process gone',
    agent: `echo ready; ${HOG}; kill -9 $(cut -d' ' -f4 /proc/$PPID/stat); sleep 60\n`,
    config: MEMORY,
    end: { state: 'FAILED', reason: 'infra_error' },
    says: /memory/,
  },
]

describe('every way to kill a process has its own reason', () => {
  test.concurrent.each(ways.map((way, at) => [way.name, way, at] as const))('%s', async (_, way, at) => {
    for (let round = 0; round < sized(1, 5); round++) {
      const project = `way-${at}-${round}`
      await world.addProject(
        project,
        shellProject({ agent: `cat > /dev/null; ${way.agent}`, config: way.config ?? {} }),
        [{ id: 'x-1', title: 'End' }],
      )
      const { id } = await world.queue(project, 'x-1')
      if (way.during) {
        await world.printed(id, '› ready')
        await way.during(await world.execution(id))
      }
      const ended = await world.ended(id)
      tally({ fault: `an agent ended by ${way.name}`, times: 1 })
      expect(ended).toMatchObject(way.end)
      expect(ended.detail).toMatch(way.says)
      expect(docker('ps', '-aq', '--filter', `label=beadloom.execution=${id}`)).toBe('')
    }
  })
})

/** Processes of the machine whose command line has this mark: containers' processes are among them. */
const marked = (mark: string): string[] =>
  execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(mark) && !line.includes('ps -eo'))

test('an agent that forks twice, leaves its session, closes its streams and makes zombies ends with all its processes', async () => {
  const mark = 'beadloom-left-behind'
  const agent = `cat > /dev/null
(setsid sh -c 'exec > /dev/null 2>&1 < /dev/null; trap "" TERM HUP INT; while :; do sleep 1; done' ${mark} &) &
(sh -c '(trap "" TERM; exec sleep 600) & exec sleep 600' ${mark} &) &
for one in $(seq 50); do (true &) & done
/opt/beadloom/bin/node -e "for (let i = 0; i < 50; i++) require('child_process').spawn('true', [], { detached: true, stdio: 'ignore' })" ${mark}
trap '' TERM
echo done > done.txt
exit 0
`
  for (let round = 0; round < sized(1, 10); round++) {
    await world.addProject(`fork-${round}`, shellProject({ agent }), [{ id: 'f-1', title: 'Fork' }])
    const ended = await world.run(`fork-${round}`, 'f-1')
    expect(ended).toMatchObject({ state: 'COMPLETED' })
    expect(marked(mark)).toEqual([])
    expect(docker('ps', '-aq', '--filter', `label=beadloom.execution=${ended.id}`)).toBe('')
  }
})
