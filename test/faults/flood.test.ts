import { afterEach, expect, test } from 'vitest'
import { ledger, ledgerProject } from '../crash/ledger-project.ts'
import { nothingLost } from '../crash/nothing-lost.ts'
import { ApiPulse, residentMegabytes } from '../crash/pulse.ts'
import { isLong, sized } from '../crash/size.ts'
import { logOf } from '../crash/stored.ts'
import { tallyFound } from '../crash/tally.ts'
import { Victim } from '../crash/victim.ts'
import { carriers, usualCarrier } from '../support/carriers.ts'

/*
 * Agents print as fast as they can, or one huge line, or millions of empty ones. The figures are for people; nothing
 * here asserts a time.
 */

let victim: Victim | null = null
afterEach(async () => {
  await victim?.remove()
  victim = null
})

/** Endless output on standard error, as fast as it is read. */
const FLOOD =
  "yes 'a line of a flood that nobody will ever read, of ninety-nine bytes or so, again and again and again' >&2"

test.each(carriers)(
  `over %s: while two agents flood for ${sized(10, 60)} s, a third one's record is exact, theirs is complete or says what is missing, and the API answers`,
  async (carrier) => {
    victim = await Victim.start({ carrier })
    const seconds = sized(10, 60)
    await victim.addProject(
      'flood',
      ledgerProject({
        'f-0': ledger('f-0', 'steady', 1),
        'f-1': `timeout ${seconds} sh -c "${FLOOD}"; exit 1`,
        'f-2': `timeout ${seconds} sh -c "${FLOOD}"; exit 1`,
        'f-3': ledger('f-3', 'steady', seconds * 50),
      }),
    )
    await victim.ended(await victim.queue('flood', 'f-0')) // makes the image
    const before = residentMegabytes(victim.pid)
    const ids = await Promise.all(['f-1', 'f-2', 'f-3'].map((bead) => victim!.queue('flood', bead)))
    const pulse = new ApiPulse(victim)
    for (const id of ids) await victim.over(id)
    const { requests, failed, p99, longest } = await pulse.end()
    console.info(
      `${requests} requests, p99 ${p99.toFixed(0)} ms, longest ${longest.toFixed(0)} ms; RSS ${before.toFixed(0)} MB before, ${pulse.peak.toFixed(0)} MB at most`,
    )
    expect(failed).toBe(0)
    await victim.stop()
    const found = nothingLost(victim)
    const { lost, executions } = found
    tallyFound(`a flood of output, over ${carrier}`, 2, found)
    expect(lost).toEqual([])
    for (const execution of executions.filter(({ bead }) => bead === 'f-1' || bead === 'f-2')) {
      const session = execution.sessions.find(({ kind }) => kind === 'work')!
      const log = logOf(victim.data, execution, session.number).toString('latin1')
      const lines = log.split('\n')
      expect(lines.filter((line) => line.startsWith('a line of a flood')).length).toBeGreaterThan(1000)
      // If more than two lines are cut, the log says that something is missing.
      const cut = lines.filter((line) => line.startsWith('a line of a flood') && !line.endsWith('again and again'))
      if (cut.length > 2) expect(log).toMatch(/left out|is full|is stopped/)
    }
  },
)

test.each(isLong ? carriers : [usualCarrier])(
  `over %s: one line of ${sized(20, 100)} MB and millions of empty ones are recorded to the last byte`,
  async (carrier) => {
    victim = await Victim.start({ carrier })
    await victim.addProject('line', ledgerProject({ 'l-1': ledger('l-1', 'longline', sized(20, 100)) }))
    const pulse = new ApiPulse(victim)
    await victim.over(await victim.queue('line', 'l-1'))
    const { failed, longest } = await pulse.end()
    expect(failed).toBe(0)
    await victim.stop()
    const found = nothingLost(victim)
    const { lost, bytes } = found
    tallyFound(`a line without an end, over ${carrier}`, 1, found)
    expect(lost).toEqual([])
    console.info(
      `${bytes.toLocaleString('en-US')} bytes compared; the API's longest answer took ${longest.toFixed(0)} ms`,
    )
  },
)
