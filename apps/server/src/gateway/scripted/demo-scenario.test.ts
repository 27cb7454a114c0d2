// @suite unit-long
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findBlocked } from '@beadloom/core/bead/blocked.ts'
import { commitMessage } from '@beadloom/core/records/branch.ts'
import { parseProjectConfig } from '@beadloom/core/project/project-config.ts'
import { buildExecutionPrompt } from '@beadloom/core/execution/prompt.ts'
import { phasesOf } from '@beadloom/core/plan/phases.ts'
import { planWarnings } from '@beadloom/core/plan/plan-warnings.ts'
import { readPlanText } from '@beadloom/core/plan/read-plan.ts'
import { parseAnswer } from '@beadloom/core/review/review.ts'
import { isOutside } from '@beadloom/core/review/review-diff.ts'
import OpenAI from 'openai'
import { expect, onTestFinished, test } from 'vitest'
import { Checkout } from '../testing/checkout.ts'
import { startWorld } from '../testing/gateway-world.ts'

/*
 * Plays the demo without containers: every bead on a branch of its own, in a checkout of the sample, merged in the
 * order that its dependencies allow. Work that the scripted model says is done is really done.
 */

const root = fileURLToPath(new URL('../../../../../', import.meta.url))
const sample = join(root, 'test/samples/demo')
const scenariosFolder = join(root, 'test/scenarios')

type Line = { id: string; title: string; description: string; dependencies?: { depends_on_id: string; type: string }[] }
const readBeads = async () =>
  (await readFile(join(sample, '.beads/issues.jsonl'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)

/** A bare remote with the sample in it, and a checkout. */
async function startProject(): Promise<Checkout> {
  const folder = await mkdtemp(join(tmpdir(), 'demo-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await cp(sample, join(folder, 'work'), { recursive: true })
  await new Checkout(folder).must('git init -q --bare -b main remote.git')
  const checkout = new Checkout(join(folder, 'work'))
  await checkout.must(
    'git init -q -b main && git add -A && git commit -qm "Start" && git remote add origin ../remote.git',
  )
  await checkout.must('git push -q -u origin main')
  return checkout
}

/** A minimal built-in agent: asks, and carries out calls until there are none. */
async function runAttempt(bead: string, attempt: number, checkout: Checkout): Promise<string[]> {
  return (await converse(bead, attempt, checkout)).texts
}

/** The built-in agent's tools, as far as the scripted model reads them. */
const tools = ['bash', 'read_file', 'write_file', 'edit_file'].map((name) => ({
  type: 'function' as const,
  function: { name },
}))

type Conversation = { client: OpenAI; messages: OpenAI.ChatCompletionMessageParam[]; texts: string[]; seen: string }

async function converse(
  bead: string,
  attempt: number,
  checkout: Checkout,
  prompt = 'the prompt',
  again = false,
): Promise<Conversation> {
  const who = { bead, attempt, model: 'scripted', scenario: 'demo', again: () => again }
  const world = await startWorld(() => {}, { who, options: { upstream: null, scenariosFolder } })
  const client = new OpenAI({ baseURL: `${world.url}/v1`, apiKey: 'any' })
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: prompt }]
  const texts: string[] = []
  let seen = ''
  for (let turn = 0; turn < 20; turn++) {
    const completion = await client.chat.completions.stream({ model: 'any', messages, tools }).finalChatCompletion()
    const message = completion.choices[0]?.message
    if (!message) throw new Error('no message')
    messages.push(message)
    if (message.content) texts.push(message.content)
    if (!message.tool_calls?.length) return { client, messages, texts, seen }
    for (const call of message.tool_calls) {
      if (call.type !== 'function') throw new Error(`unknown call ${call.type}`)
      const content = await checkout.call(
        call.function.name,
        JSON.parse(call.function.arguments) as Record<string, string>,
      )
      seen += `${content}\n`
      messages.push({ role: 'tool', tool_call_id: call.id, content })
    }
  }
  throw new Error('the script has no end')
}

/** Plays a session to its end, and asks for its document. */
async function answer(bead: string, attempt: number, checkout: Checkout): Promise<{ seen: string; document: string }> {
  const { client, messages, seen } = await converse(bead, attempt, checkout)
  messages.push({ role: 'user', content: 'the document, please' })
  const response_format = { type: 'json_schema' as const, json_schema: { name: 'answer', schema: {} } }
  const completion = await client.chat.completions.create({ model: 'any', messages, response_format })
  return { seen, document: completion.choices[0]?.message.content ?? '' }
}

/** Plays a review. Returns the reviewer's view and answer, and which of its issues are outside of the diff. */
async function review(target: string, checkout: Checkout, from = 'main', attempt = 1) {
  const { seen, document } = await answer(`review:${target}`, attempt, checkout)
  const parsed = parseAnswer(document)
  if ('wrong' in parsed) throw new Error(parsed.wrong)
  const { issues, pr_ready } = parsed.answer
  const outside = []
  for (const issue of issues) {
    const patch = await checkout.must(`git diff ${from}...HEAD -- ${issue.file_path}`)
    expect(await checkout.must(`wc -l < ${issue.file_path}`).then(Number)).toBeGreaterThan(
      Math.max(0, ...issue.line_numbers),
    )
    outside.push(isOutside(issue, patch === '' ? null : patch))
  }
  expect(await checkout.must('git status --porcelain')).toBe('')
  return {
    seen,
    pr_ready,
    severities: issues.map(({ severity }) => severity),
    outside,
    titles: issues.map(({ title }) => title),
  }
}

/** For two dozen runs of npm on a loaded machine; no bound on the code. */
const timeout = 300_000

const tests = async (checkout: Checkout) => (await checkout.sh('npm test')).code === 0

test(
  'the demo brings five beads of one session to an end that its tests accept, one at the second attempt; one asks a person and continues with the answer, and reviewers find the planted issues',
  { timeout },
  async () => {
    const beads = await readBeads()
    const project = await startProject()
    const titleOf = (id: string) => beads.find((bead) => bead.id === id)?.title ?? expect.unreachable(`no bead ${id}`)
    expect(await tests(project)).toBe(true)

    const begin = (id: string) => project.must(`git switch -q -c bead-${id} main`)
    /** Checks like a verification: the pushed commit, nothing left behind, and the tests. */
    const pushed = async (id: string) => {
      expect(await project.must('git status --porcelain')).toBe('')
      expect(await project.must(`git rev-parse HEAD`)).toBe(await project.must(`git rev-parse origin/bead-${id}`))
      expect(await project.must('git log -1 --format=%s')).toBe(commitMessage(id, titleOf(id)))
      return tests(project)
    }

    // Side by side, from the same commit, as three slots do it.
    for (const id of ['demo-7f3a', 'demo-2c9d']) {
      await begin(id)
      expect(findBlocked(await runAttempt(id, 1, project))).toBeNull()
      expect(await pushed(id)).toBe(true)
    }
    // A reviewer has seen everything that it reports.
    const parser = await review('demo-2c9d', project)
    expect(parser).toMatchObject({ pr_ready: false, severities: ['medium', 'low'], outside: [false, false] })
    expect(parser.seen).toContain('1.005s = 1004.9999999999999 = 1s 4ms')
    expect(parser.seen).toContain('5m 5m = 600000')
    await project.must('git switch -q bead-demo-7f3a')
    expect(await review('demo-7f3a', project)).toMatchObject({ pr_ready: true, severities: [] })

    await begin('demo-e08t')
    await runAttempt('demo-e08t', 1, project)
    expect(await pushed('demo-e08t')).toBe(false)
    await runAttempt('demo-e08t', 2, project)
    expect(await pushed('demo-e08t')).toBe(true)
    const whole = await review('demo-e08t', project)
    expect(whole).toMatchObject({ pr_ready: true, severities: ['low'], outside: [true] })
    expect(whole.seen).toMatch(/^ab {8}2$/m)

    // A second run after the end leaves something to verify, and it passes.
    await converse('demo-e08t', 1, project, 'the prompt', true)
    expect(await project.must('git status --porcelain')).toBe('')
    expect(await project.must('git log -1 --format=%s')).toMatch(/^Bead demo-e08t: note/)
    expect(await tests(project)).toBe(true)
    await project.must('git reset -q --hard HEAD~1 && git push -q --force origin HEAD')

    await begin('demo-w9b2')
    const config = parseProjectConfig(await readFile(join(sample, 'beadloom.json'), 'utf8'))
    const { command = '' } = config.beads?.['demo-w9b2'] ?? {}
    const given = {
      projectName: config.name ?? '',
      techStack: config.techStack ?? [],
      testCommand: config.test ?? '',
      timeoutMs: 1000,
    }
    const script = beads.find(({ id }) => id === 'demo-w9b2') ?? expect.unreachable('no bead')
    const prompt = buildExecutionPrompt({ ...given, bead: script, userContext: '' })
    expect(await project.must(command, prompt)).toContain('6 files changed')
    expect(await pushed('demo-w9b2')).toBe(true)
    const licence = await review('demo-w9b2', project)
    expect(licence).toMatchObject({ pr_ready: true, severities: [] })
    expect(licence.seen).toContain('pad.js has no licence header')

    await begin('demo-q4z6')
    expect(findBlocked(await runAttempt('demo-q4z6', 1, project))).toMatch(/npm access token/)
    expect(await project.must('git status --porcelain')).toBe('')
    expect(await project.must('git rev-parse HEAD')).toBe(await project.must('git rev-parse main'))
    // With any answer, the bead continues.
    const asked = beads.find(({ id }) => id === 'demo-q4z6') ?? expect.unreachable('no bead')
    const answered = buildExecutionPrompt({ ...given, bead: asked, userContext: 'The name is ours.' })
    expect(findBlocked((await converse('demo-q4z6', 1, project, answered)).texts)).toBeNull()
    expect(await pushed('demo-q4z6')).toBe(true)
    expect(await review('demo-q4z6', project)).toMatchObject({ pr_ready: true, severities: [] })

    // A bead that somebody files in the demo asks, and any answer ends it.
    await begin('demo-own')
    expect(findBlocked(await runAttempt('demo-own', 1, project))).toMatch(/no recording of demo-own/)
    const own = buildExecutionPrompt({ ...given, bead: { ...asked, id: 'demo-own' }, userContext: 'Yes.' })
    expect(findBlocked((await converse('demo-own', 1, project, own)).texts)).toBeNull()
    expect(await project.must('git log -1 --format=%s')).toMatch(/^Bead demo-own: /)

    await project.must('git switch -q main')
    const merge = async (id: string) => {
      await project.must(`git merge -q --no-edit bead-${id}`) // a conflict fails here
      expect(await tests(project)).toBe(true)
    }
    await merge('demo-7f3a')
    await merge('demo-2c9d')
    const waiting = beads.find(({ id }) => id === 'demo-k51m')
    expect(waiting?.dependencies?.map((edge) => [edge.depends_on_id, edge.type])).toEqual([
      ['demo-7f3a', 'blocks'],
      ['demo-2c9d', 'blocks'],
    ])
    await begin('demo-k51m')
    await runAttempt('demo-k51m', 1, project)
    expect(await pushed('demo-k51m')).toBe(true)
    expect(await review('demo-k51m', project)).toMatchObject({ pr_ready: true, severities: [] })
    await project.must('git switch -q main')
    await merge('demo-w9b2')
    await merge('demo-e08t')
    await merge('demo-k51m')
    await merge('demo-q4z6')
    expect(await project.must('grep -L SPDX src/*.js || true')).toBe('')
    const start = await project.must('git rev-list --max-parents=0 HEAD')
    const together = await review('beadloom-work-branch', project, start)
    expect(together).toMatchObject({ pr_ready: true, severities: ['low'], outside: [false] })
    expect(together.seen).toMatch(/^total +2h 3m$/m)

    // Each issue becomes a bead, and autopilot takes them: side by side, then together.
    const found = [parser, whole, together].flatMap(({ titles }) => titles)
    expect(found).toHaveLength(4)
    for (const [n, title] of found.entries()) {
      await project.must(`git switch -q -c bead-issue-${n} main`)
      const { texts } = await converse(`issue-${n}`, 1, project, `TASK: Bead #issue-${n} - ${title}\nDo it.`)
      expect(findBlocked(texts)).toBeNull()
      expect(await project.must('git log -1 --format=%s')).toBe(commitMessage(`issue-${n}`, title))
      expect(await tests(project)).toBe(true)
    }
    await project.must('git switch -q main')
    for (const n of found.keys()) await merge(`issue-${n}`)
    const answers = await project.must(
      `node --input-type=module -e "
import { formatDuration, parseDuration } from './src/index.js'
console.log(formatDuration(parseDuration('1.005s')))
try { parseDuration('5m 5m') } catch (error) { console.log(error.message) }"`,
    )
    expect(answers).toBe('1s 5ms\nnot a duration: "5m 5m"')
  },
)

test('the waiting bead cannot be done without the two it waits for', { timeout }, async () => {
  const project = await startProject()
  await project.must('git switch -q -c bead-demo-k51m main')
  await runAttempt('demo-k51m', 1, project)
  expect(await tests(project)).toBe(false)
})

test(
  'the feature is planned in three phases, its tests fail before they pass, and the rejected phase is right at its second attempt',
  { timeout },
  async () => {
    const project = await startProject()
    await project.must('git switch -q -c bead-demo-m6rv main')
    const { document } = await answer('plan:demo-m6rv', 1, project)
    const read = readPlanText(document)
    if (!('plan' in read)) return expect.unreachable(JSON.stringify(read))
    expect(planWarnings(read.plan)).toEqual([])
    const { subtasks } = read.plan
    const phases = phasesOf(subtasks)
    expect(phases).toEqual([['1a', '1b'], ['2a', '2b'], ['3']])

    /** Plays one round as the server counts them: the rejected attempt is one of them. */
    const round = async (number: number, phase: number) => {
      for (const id of phases[phase - 1] ?? []) {
        const filesTouched = subtasks.find((one) => one.id === id)?.filesTouched
        await converse(`demo-m6rv:${id}`, number, project)
        const changed = await project.must('git add -A && git diff --cached --name-only')
        for (const file of changed.trimEnd().split('\n')) expect(filesTouched).toContain(file)
        await project.must('git commit -qm "What a subtask left"')
      }
      const passed = await tests(project)
      return { passed, ...(await review('demo-m6rv', project, 'start', number)) }
    }
    await project.must('git tag start')
    expect(await round(1, 1)).toMatchObject({ passed: false, pr_ready: true })
    await project.must('git tag -f start')
    const rejected = await round(2, 2)
    expect(rejected).toMatchObject({ passed: true, pr_ready: false, severities: ['high'], outside: [false] })
    expect(rejected.seen).toContain('flat: []')
    await project.must('git reset -q --hard start')
    const again = await round(3, 2)
    expect(again).toMatchObject({ passed: true, pr_ready: true, severities: [] })
    expect(again.seen).toContain('flat: [▁▁▁]')
    await project.must('git tag -f start')
    const last = await round(4, 3)
    expect(last).toMatchObject({ passed: true, pr_ready: true })
    expect(last.seen).toContain('bar formatBytes formatDuration pad renderTable trend truncate')
  },
)
