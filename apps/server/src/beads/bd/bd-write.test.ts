import type { JsonObject } from '@beadloom/core/text/json-object.ts'
import { expect, test } from 'vitest'
import type { ChangeOutcome, TrackerChange } from '../../ports/tracker.ts'
import { failureOf, statusOf } from '../testing/tracker-folder.ts'
import type { BdCommands } from './bd-commands.ts'
import { writeBead } from './bd-write.ts'

/** One bead as `bd` keeps it, for the flags that the driver uses; a claim needs an open bead, as in bd 1.0.5. */
function bdWith(issue: { status: string; assignee?: string; labels?: string[] }) {
  const bead: JsonObject = { id: 'a-1', labels: [], assignee: '', ...issue }
  const asked: string[] = []
  const labels = () => bead['labels'] as string[]
  const flags: Record<string, (value: string) => void> = {
    '--status': (value) => (bead['status'] = value),
    '--assignee': (value) => (bead['assignee'] = value),
    '--add-label': (value) => (bead['labels'] = [...labels(), value]),
    '--remove-label': (value) => (bead['labels'] = labels().filter((one) => one !== value)),
  }
  const bd = {
    show: async () => ({ ...bead }),
    change: async (verb: string, [, ...args]: string[]) => {
      asked.push([verb, ...args].join(' '))
      if (verb === 'close') bead['status'] = 'closed'
      if (args[0] === '--claim' && bead['status'] === 'open')
        Object.assign(bead, { status: 'in_progress', assignee: 'beadloom' })
      for (let at = 0; at < args.length; at++) flags[args[at] ?? '']?.(args[at + 1] ?? '')
      return { ...bead }
    },
  }
  const write = (change: TrackerChange): Promise<ChangeOutcome> => writeBead(bd as unknown as BdCommands, change)
  return { bead, asked, write }
}

test('a bead that failed is in progress with a label and for nobody, claimed again for its next start, and closed without it', async () => {
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

test('whoever has claimed it keeps it, and only Beadloom is let go of where it waits for a person', async () => {
  const hers = bdWith({ status: 'in_progress', assignee: 'ada' })
  expect(await hers.write(failureOf('a-1'))).toMatchObject({ result: 'overruled', by: 'ada' })
  const ours = bdWith({ status: 'in_progress', assignee: 'beadloom' })
  await ours.write(statusOf('a-1', 'blocked', 'in_progress'))
  expect(ours.bead).toMatchObject({ status: 'blocked', assignee: '' })
  expect(hers.asked).toEqual([])
})
