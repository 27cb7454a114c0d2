// @suite policy-long
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ReviewView } from '@beadloom/core/api/reviews/review-api.ts'
import { git } from '../support/repository.ts'
import { answer, issue, reviewed, reviewedProject } from '../support/reviewer.ts'
import { commitAndPush } from '../support/shell-project.ts'
import { worldsOfATest } from '../support/worlds-of-a-test.ts'

/* Reviews with the built-in agent, across a restart of the server, of large or vanished things, and stopped ones. */
const start = worldsOfATest()

const greet = (id: string) => ({ id, title: 'Greet' })
const slowly = (lines: number, then: string) =>
  `cat > /dev/null; i=0; while [ $i -lt ${lines} ]; do echo "look $i" >&2; sleep 0.05; i=$((i + 1)); done\n${then}\n`

test.each([
  ['one document, where the model has structured output', true],
  ['the call of submit_review, where it has none', false],
])('the built-in agent looks with its tools, and its answer is %s', async (_, structuredOutput) => {
  const first = await start()
  const scenarios = join(first.folder, 'scenarios')
  mkdirSync(scenarios)
  const good = JSON.parse(answer([issue('It greets nobody')])) as object
  const submit = (document: object) => ({ calls: [{ tool: 'submit_review', arguments: document }] })
  const work = `echo hello > greeting.txt && ${commitAndPush('sc-1', 'Greet')}`
  const scenario = {
    name: 'reviewed',
    about: 'An author and a reviewer.',
    beads: {
      'sc-1': { turns: [{ calls: [{ tool: 'bash', arguments: { command: work } }] }, { say: 'done' }] },
      'review:sc-1': {
        structuredOutput,
        turns: [
          { calls: [{ tool: 'bash', arguments: { command: 'cat greeting.txt; git log --oneline | head -3' } }] },
          { calls: [{ tool: 'write_file', arguments: { path: 'greeting.txt', content: 'mine' } }] },
          { say: 'It looks fine to me, approved.' },
          ...(structuredOutput ? [{ document: good }] : [submit({ ...good, approved: true }), submit(good)]),
        ],
      },
    },
  }
  writeFileSync(join(scenarios, 'reviewed.json'), JSON.stringify(scenario))
  const world = await start({ scenarios })
  await world.addProject(
    'scripted',
    {
      'beadloom.json': JSON.stringify({
        techStack: ['Shell'],
        test: 'true',
        setup: null,
        model: 'scripted',
        scenario: 'reviewed',
      }),
    },
    [greet('sc-1')],
  )
  expect((await world.run('scripted', 'sc-1')).state).toBe('COMPLETED')
  const { view } = await reviewed(world, 'scripted', { bead: 'sc-1' })
  expect(view).toMatchObject({
    verdict: 'not_ready',
    issues: [{ title: 'It greets nobody', filed: 'new' }],
    model: 'scripted',
    session: expect.stringMatching(`^${view.id}\\.\\d+$`),
    reason: null,
  })
  const execution = await world.execution(view.id)
  expect(execution.sessions.filter(({ kind }) => kind === 'work')).toHaveLength(1)
  const log = await world.log(view.session ?? '')
  // It is offered no tool that writes; the scripted model takes the shell instead, in a container that is thrown away.
  expect(log).not.toContain('write_file(')
  expect(log.match(/^⚙ bash\(/gm)).toHaveLength(2)
  if (!structuredOutput) {
    expect(log).toContain('it is now asked for a tool call')
    expect(log).toContain('unknown key "approved"')
  }
  expect((await world.events(view.id)).filter(({ type }) => type === 'review')).toHaveLength(1)
})

test('a review continues across a restart of the server, and one whose container is gone is asked for again', async () => {
  const first = await start()
  const text = answer([issue('It greets nobody')])
  const reviewer = slowly(200, `cat <<'END'\n${text}\nEND`)
  const config = { retry: { retryCount: 1, retryDelay: 0 } }
  await first.addProject('back', reviewedProject({ reviewer, bead: 'bk-1', config }), [greet('bk-1')])
  await first.run('back', 'bk-1')
  const asked = await first.api<ReviewView>('POST', '/api/projects/back/reviews', { bead: 'bk-1' })
  await first.printed(asked.body.id, 'look 20')
  await first.server.stop()

  const second = await start({ data: first.data, host: first.host })
  const ended = await second.ended(asked.body.id)
  expect(ended.flags.some(({ kind }) => kind === 'adopted')).toBe(true)
  expect(ended.sessions.filter(({ kind }) => kind === 'work')).toHaveLength(1)
  const view = await second.get<ReviewView>(`/api/reviews/${asked.body.id}`)
  expect(view).toMatchObject({ state: 'COMPLETED', verdict: 'not_ready', issues: [{ filed: 'new' }] })

  const once = await second.api<ReviewView>('POST', '/api/projects/back/reviews', { bead: 'bk-1', again: true })
  await second.printed(once.body.id, 'look 5')
  await second.server.stop()
  const { containers } = second
  await containers.remove(...(await containers.of(once.body.id)))
  const third = await start({ data: first.data, host: first.host })
  const repeated = await third.ended(once.body.id)
  expect(repeated).toMatchObject({ state: 'COMPLETED', retryAttempt: 1, attempt: 1 })
  expect(repeated.sessions.map(({ outcome }) => outcome)).toEqual(['infra_error', 'success'])
})

test('a cancelled review ends, moves no bead, and files nothing', async () => {
  const world = await start()
  const reviewer = slowly(10_000, 'true')
  await world.addProject('stop', reviewedProject({ reviewer, bead: 'st-1' }), [greet('st-1')])
  await world.run('stop', 'st-1')
  const { body } = await world.api<ReviewView>('POST', '/api/projects/stop/reviews', { bead: 'st-1' })
  await world.printed(body.id, 'look 5')
  // The bead's branch is under review: nobody changes it meanwhile.
  expect((await world.api('POST', '/api/projects/stop/beads/st-1/executions', {})).status).toBe(409)
  await world.api('POST', `/api/executions/${body.id}/cancel`)
  expect((await world.ended(body.id)).state).toBe('CANCELLED')
  expect((await world.get<BeadView>('/api/projects/stop/beads/st-1')).status).toBe('done')
  expect(await world.get<ReviewView>(`/api/reviews/${body.id}`)).toMatchObject({ verdict: null, pr_ready: false })
  expect((await world.get<{ items: unknown[] }>('/api/projects/stop/beads?limit=100')).items).toHaveLength(1)
})

test('20,000 lines and a binary file make a bounded prompt, and the rest is in the workspace', async () => {
  const world = await start()
  const agent = `seq 1 20000 > big.txt; head -c 3000 /dev/urandom > logo.bin; echo hi > greeting.txt\n${commitAndPush('la-1', 'Greet')}`
  const reviewer = `cat > /tmp/prompt
echo "prompt of $(wc -c < /tmp/prompt) bytes" >&2
grep -n 'logo.bin\\|big.txt\\|not shown' /tmp/prompt >&2
diff=$(grep -o 'git diff [0-9a-f]* [0-9a-f]*' /tmp/prompt | head -1)
echo "seen: $($diff -- big.txt | grep -c '^+') lines" >&2
cat <<'END'
${answer([issue('A number is wrong', { file_path: 'big.txt', line_numbers: [19_999] }), issue('No image', { file_path: 'logo.bin' })])}
END
`
  await world.addProject('large', reviewedProject({ agent, reviewer, bead: 'la-1' }), [greet('la-1')])
  await world.run('large', 'la-1')
  const { view } = await reviewed(world, 'large', { bead: 'la-1' })
  expect(view.issues.map(({ outside_diff }) => outside_diff)).toEqual([false, false])
  const log = await world.log(view.session ?? '')
  expect(log).toContain('A `big.txt` (+20000 -0, shown in part)')
  expect(log).toContain('A `logo.bin` (binary)')
  expect(log).toContain('seen: 20001 lines')
  const bytes = Number(/prompt of (\d+) bytes/.exec(log)?.[1])
  expect(bytes).toBeGreaterThan(1000)
  expect(bytes).toBeLessThan(100_000)
})

test('a branch that is gone, or has nothing new, gets a sentence, and nothing starts', async () => {
  const world = await start()
  const { remote } = await world.addProject('gone', reviewedProject({ reviewer: 'exit 1\n', bead: 'go-1' }), [
    greet('go-1'),
  ])
  const work = await world.run('gone', 'go-1')
  const hub = join(world.data, 'hub', 'gone.git')
  for (const place of [remote, hub]) git(place, 'update-ref', '-d', `refs/heads/${work.branch}`)
  const ask = (body: object) =>
    world.api<{ error: { code: string; message: string } }>('POST', '/api/projects/gone/reviews', body)
  const answered = await ask({ bead: 'go-1' })
  expect(answered).toMatchObject({ status: 422, body: { error: { code: 'no_branch' } } })
  expect(answered.body.error.message).toContain('is gone')

  // The work branch is merged: base and work branch are the same.
  git(remote, 'update-ref', 'refs/heads/main', 'refs/heads/beadloom/work')
  await world.api('POST', '/api/projects/gone/sync')
  expect(await ask({})).toMatchObject({ status: 422, body: { error: { code: 'nothing_to_review' } } })
  expect((await world.get<{ items: unknown[] }>('/api/executions?project=gone')).items).toHaveLength(1)
})

test('a reviewer that fails or is blocked ends its review that way, and leaves the bead as it is', async () => {
  const world = await start()
  const reviewer = `cat > /dev/null; if [ -f blocked ]; then echo 'BLOCKED: I cannot read this.'; else exit 3; fi\n`
  const agent = `echo hello > greeting.txt; touch $(grep -q 'please block' && echo blocked || echo fine)\n${commitAndPush('fa-1', 'Greet')}`
  await world.addProject('fails', reviewedProject({ agent, reviewer, bead: 'fa-1' }), [greet('fa-1')])
  await world.run('fails', 'fa-1')
  const failed = await reviewed(world, 'fails', { bead: 'fa-1' })
  expect(failed.view).toMatchObject({
    state: 'FAILED',
    verdict: null,
    detail: expect.stringMatching(/exit code 3.* ask for the review again: beadloom review fa-1\.$/),
  })
  await world.api('PATCH', '/api/projects/fails/beads/fa-1', { status: 'open' })
  await world.run('fails', 'fa-1', { context: 'please block' })
  const blocked = await reviewed(world, 'fails', { bead: 'fa-1' })
  expect(blocked.view).toMatchObject({
    state: 'BLOCKED',
    verdict: null,
    detail: expect.stringMatching(/cannot read this\. Then ask for the review again: /),
  })
  expect((await world.get<BeadView>('/api/projects/fails/beads/fa-1')).status).toBe('done')
  expect((await world.get<{ items: unknown[] }>('/api/projects/fails/beads?limit=100')).items).toHaveLength(1)
})
