import type { JsonObject } from '@beadloom/core/text/json-object.ts'
import { expect, test } from 'vitest'
import { TrackerError, type ChangeOutcome, type TrackerChange } from '../../ports/tracker.ts'
import { failureOf, statusOf } from '../testing/tracker-folder.ts'
import type { BdCommands } from './bd-commands.ts'
import { writeBead } from './bd-write.ts'

/** A `bd` with one bead, for the flags that the driver uses; a claim needs an open bead, as in bd 1.0.5. */
function bdWith(issue: { status: string; assignee?: string; labels?: string[] }, hasGuards = false) {
  const bead: JsonObject = { id: 'a-1', labels: [], assignee: '', ...issue }
  const asked: string[] = []
  const labels = () => bead['labels'] as string[]
  const flags: Record<string, (value: string) => void> = {
    '--status': (value) => (bead['status'] = value),
    '--assignee': (value) => (bead['assignee'] = value),
    '--add-label': (value) => (bead['labels'] = [...labels(), value]),
    '--remove-label': (value) => (bead['labels'] = labels().filter((one) => one !== value)),
  }
  /** Another user's action between a look and the change that follows it. */
  let meanwhile = () => {}
  const bd = {
    hasGuards,
    show: async () => ({ ...bead }),
    change: async (verb: string, [, ...args]: string[]) => {
      meanwhile()
      asked.push([verb, ...args].join(' '))
      for (const key of ['status', 'assignee'])
        if (args.some((arg) => arg.startsWith(`--if-${key}=`) && arg !== `--if-${key}=${String(bead[key])}`))
          throw new TrackerError('broken', `${key} mismatch`)
      if (verb === 'close') bead['status'] = 'closed'
      if (args[0] === '--claim' && bead['status'] === 'open')
        Object.assign(bead, { status: 'in_progress', assignee: 'beadloom' })
      for (let at = 0; at < args.length; at++) flags[args[at] ?? '']?.(args[at + 1] ?? '')
      return { ...bead }
    },
  }
  const write = (change: TrackerChange): Promise<ChangeOutcome> => writeBead(bd as unknown as BdCommands, change)
  return { bead, asked, write, between: (other: JsonObject) => (meanwhile = () => Object.assign(bead, other)) }
}

test('a failed bead is in progress with a label and for nobody, claimed again for its next start, and closed without it', async () => {
  const { bead, asked, write } = bdWith({ status: 'in_progress', assignee: 'beadloom', labels: ['ui'] })
  expect(await write(failureOf('a-1'))).toEqual({ result: 'written', word: 'in_progress' })
  expect(bead).toMatchObject({ status: 'in_progress', assignee: '', labels: ['ui', 'failed'] })
  expect(await write(failureOf('a-1'))).toMatchObject({ result: 'written' })
  expect(asked).toHaveLength(1)
  await write(statusOf('a-1', 'in_progress', 'in_progress'))
  expect(bead).toMatchObject({ status: 'in_progress', assignee: 'beadloom', labels: ['ui'] })
  await write(failureOf('a-1'))
  await write(statusOf('a-1', 'done', 'in_progress'))
  expect(bead).toMatchObject({ status: 'closed', labels: ['ui'] })
})

test('a failure that comes before the start was written claims nothing, and one that a person opened is claimed without the label', async () => {
  const late = bdWith({ status: 'open' })
  await late.write(failureOf('a-1', 'open'))
  expect(late.bead).toMatchObject({ status: 'in_progress', assignee: '', labels: ['failed'] })
  const opened = bdWith({ status: 'open', labels: ['failed'] })
  await opened.write(statusOf('a-1', 'in_progress'))
  expect(opened.bead).toMatchObject({ status: 'in_progress', assignee: 'beadloom', labels: [] })
  expect(opened.asked.at(-1)).toBe('update --claim')
})

test("anybody's claim stays, and only Beadloom's is given up if it waits for a person", async () => {
  const hers = bdWith({ status: 'in_progress', assignee: 'ada' })
  expect(await hers.write(failureOf('a-1'))).toMatchObject({ result: 'overruled', by: 'ada' })
  const ours = bdWith({ status: 'in_progress', assignee: 'beadloom' })
  await ours.write(statusOf('a-1', 'blocked', 'in_progress'))
  expect(ours.bead).toMatchObject({ status: 'blocked', assignee: '' })
  expect(hers.asked).toEqual([])
})

test('a bd with guards claims in one step, even a bead that is assigned to somebody', async () => {
  const free = bdWith({ status: 'open', labels: ['failed'] }, true)
  expect(await free.write(statusOf('a-1', 'in_progress'))).toEqual({ result: 'written', word: 'in_progress' })
  expect(free.bead).toMatchObject({ status: 'in_progress', assignee: 'beadloom', labels: [] })
  expect(free.asked).toHaveLength(1)
  const hers = bdWith({ status: 'open', assignee: 'ada' }, true)
  await hers.write(statusOf('a-1', 'in_progress'))
  expect(hers.bead).toMatchObject({ status: 'in_progress', assignee: 'ada' })
})

test.each([
  ['whoever claims it', { status: 'in_progress', assignee: 'ada' }, { result: 'overruled', by: 'ada' }],
  ['whoever closes it', { status: 'closed' }, { result: 'overruled' }],
])('a bd with guards writes nothing over %s between the look and the change', async (_, other, outcome) => {
  const one = bdWith({ status: 'open' }, true)
  one.between(other)
  expect(await one.write(statusOf('a-1', 'in_progress'))).toMatchObject(outcome)
  expect(one.bead).toMatchObject(other)
})

test('a bead that is assigned to somebody in between is tried again later', async () => {
  const one = bdWith({ status: 'open' }, true)
  one.between({ assignee: 'ada' })
  await expect(one.write(statusOf('a-1', 'in_progress'))).rejects.toThrow('mismatch')
  expect(one.bead).toMatchObject({ status: 'open', assignee: 'ada' })
})
