import { execFileSync } from 'node:child_process'
import { afterEach, expect, test } from 'vitest'
import type { LogMarks } from '@beadloom/core/log/log-marks.ts'
import { git } from '../support/repository.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'
import { longTest } from '@beadloom/core/testing/long-test.ts'

/* A server goes away while agents work, and the next one starts on the same data folder: the agents do not notice. */
let worlds: World[] = []
afterEach(async () => {
  for (const world of worlds.toReversed()) await world.stop()
  worlds = []
})
const start = async (options?: Parameters<typeof World.start>[0]) => {
  const world = await World.start(options)
  worlds.push(world)
  return world
}

const docker = (...args: string[]) => execFileSync('docker', args, { encoding: 'utf8' }).trim()
const workContainer = (execution: string) =>
  docker(
    'ps',
    '-aq',
    '--no-trunc',
    '--filter',
    `label=beadloom.execution=${execution}`,
    '--filter',
    'label=beadloom.kind=work',
  )
const startOf = (container: string) => docker('inspect', '--format', '{{.Id}} {{.State.StartedAt}}', container)

/** Numbered lines on both streams: some end late, some are no text at all. */
const chatty = (lines: number, last: string) => `
i=1
while [ $i -le ${lines} ]; do
  printf 'out %d' $i; sleep 0.03; echo ' end'
  echo "err $i" >&2
  printf 'rough \\377\\200 %d\\n' $i
  i=$((i + 1))
done
${last}`

const numbered = (log: string, pattern: RegExp) => [...log.matchAll(pattern)].map((match) => Number(match[1]))
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

test('a running agent is adopted: same container, same start, every byte of its output once, and the bead is COMPLETED', async () => {
  const first = await start()
  const lines = 120
  const { remote } = await first.addProject(
    'a',
    // It pushes once the last server is there: if a stop cuts a push off, that is the agent's own failure.
    shellProject({
      agent: chatty(
        lines,
        `until [ -e /tmp/go ]; do sleep 0.1; done\necho x > x.txt\n${commitAndPush('a-1', 'Go on')}`,
      ),
    }),
    [{ id: 'a-1', title: 'Go on' }],
  )
  const { id } = await first.queue('a', 'a-1')
  await first.printed(id, 'out 20 end')
  const before = startOf(workContainer(id))
  await first.server.stop()
  const away = Date.now()
  const spools = 'cat /var/lib/beadloom/sessions/*/stdout | wc -c'
  const saidSoFar = () => Number(docker('exec', workContainer(id), 'sh', '-c', spools))
  const said = saidSoFar()
  await expect.poll(saidSoFar).toBeGreaterThan(said)
  const back = Date.now()

  const second = await start({ data: first.data })
  await second.printed(id, 'out 60 end')
  expect(startOf(workContainer(id))).toBe(before)
  await second.server.stop()

  const third = await start({ data: first.data })
  docker('exec', workContainer(id), 'touch', '/tmp/go')
  const ended = await third.ended(id)
  expect(ended).toMatchObject({ state: 'COMPLETED', attempt: 1 })
  expect(ended.flags.some(({ kind }) => kind === 'adopted')).toBe(true)
  expect(ended.sessions.filter(({ kind }) => kind === 'work')).toHaveLength(1)
  const session = ended.sessions.find(({ kind }) => kind === 'work')?.id ?? ''
  const log = await third.log(session)
  for (const pattern of [/^› out (\d+) end$/gm, /^err (\d+)$/gm, /^› rough \uFFFD\uFFFD (\d+)$/gm])
    expect(numbered(log, pattern)).toEqual(upTo(lines))
  // Output printed without a server has the time of its printing, not of the next server reading it.
  const { times, stderr } = await third.get<LogMarks>(`/api/sessions/${session}/log/marks`)
  expect(times.filter(([, at]) => at > away && at < back)).not.toEqual([])
  const text = log.split('\n')
  const onError = (line: number) => stderr.some(([from, to]) => from <= line && line <= to)
  expect(text.filter((line, n) => line.startsWith('err ') && !onError(n))).toEqual([])
  expect(text.filter((line, n) => /^› (?:out|rough) /.test(line) && onError(n))).toEqual([])
  expect(git(remote, 'show', 'beadloom/work:x.txt')).toBe('x')
  expect(workContainer(id)).toBe('')
})

longTest(
  'an agent that ended while the server was down is judged by its whole output, BLOCKED before the stop included',
  async () => {
    const first = await start()
    await first.addProject(
      'b',
      shellProject({ agent: "echo 'BLOCKED: no key for the bank'; echo ready; sleep 600\n" }),
      [{ id: 'b-1', title: 'Ask' }],
    )
    await first.addProject(
      'c',
      shellProject({ agent: `echo ready; sleep 3; echo x > x.txt\n${commitAndPush('c-1', 'End')}` }),
      [{ id: 'c-1', title: 'End' }],
    )
    const blocked = await first.queue('b', 'b-1')
    const pushing = await first.queue('c', 'c-1')
    await first.printed(blocked.id, 'ready')
    await first.printed(pushing.id, 'ready')
    await first.server.stop()
    docker('kill', workContainer(blocked.id))

    const again = await start({ data: first.data })
    expect(await again.ended(blocked.id)).toMatchObject({ state: 'BLOCKED', blockedReason: 'no key for the bank' })
    expect(await again.ended(pushing.id)).toMatchObject({ state: 'COMPLETED' }) // its push waited for the server
  },
)

longTest(
  'a container that was removed while the server was down ends the execution as FAILED, or the run policy repeats it',
  async () => {
    const first = await start()
    await first.addProject('d', shellProject({ agent: 'echo ready; sleep 600\n' }), [
      { id: 'd-1', title: 'Gone' },
      { id: 'd-2', title: 'Gone, and again' },
    ])
    const one = await first.queue('d', 'd-1')
    const two = await first.queue('d', 'd-2', { retryCount: 1, retryDelay: 100 })
    await first.printed(one.id, 'ready')
    await first.printed(two.id, 'ready')
    await first.server.stop()
    docker('rm', '-f', workContainer(one.id), workContainer(two.id))

    const again = await start({ data: first.data })
    expect(await again.ended(one.id)).toMatchObject({ state: 'FAILED', reason: 'orchestrator_restart' })
    await again.until(
      async () => (await again.execution(two.id)).sessions.filter(({ kind }) => kind === 'work').length === 2,
    )
    expect(await again.execution(two.id)).toMatchObject({ state: 'RUNNING', retryAttempt: 1 })
    await again.api('POST', `/api/executions/${two.id}/cancel`)
    await again.ended(two.id)
  },
)

longTest('containers of another server are never touched', async () => {
  const [image = ''] = docker('images', '-q', 'beadloom/runtime').split('\n')
  const labels = ['instance=in-000000000000', 'execution=ex-0000000000', 'kind=work'].flatMap((label) => [
    '--label',
    `beadloom.${label}`,
  ])
  const foreign = docker('create', ...labels, image)
  try {
    const world = await start()
    await world.addProject('f', shellProject({ agent: 'echo x > x.txt\n' }), [{ id: 'f-1', title: 'x' }])
    await world.run('f', 'f-1')
    expect(docker('ps', '-aq', '--no-trunc')).toContain(foreign)
  } finally {
    docker('rm', foreign)
  }
})
