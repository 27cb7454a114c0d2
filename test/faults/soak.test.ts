import { afterEach, expect, test } from 'vitest'
import { isLong, seed, sized } from '../crash/size.ts'
import { soak, type SoakReport } from '../crash/soak/soak.ts'
import { SoakStage } from '../crash/soak/soak-stage.ts'
import { tally } from '../crash/tally.ts'

/*
 * Everything at once: four projects with agents at work, and faults of all kinds at random moments, one under another.
 * SOAK_MINUTES: how long. The short form uses the machine's own engine, which keeps running.
 */

const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 60)
const canMount = process.platform === 'linux' && process.getuid?.() === 0

let stage: SoakStage | null = null
afterEach(async () => {
  await stage?.close()
  stage = null
})

test.runIf(canMount)(
  `${isLong ? `${MINUTES} minutes of` : 'ten'} faults at random moments lose no byte that an agent was told is written, and start nothing twice (seed ${seed})`,
  { timeout: (MINUTES + 30) * 60_000 },
  async () => {
    stage = await SoakStage.open({ ownEngine: isLong })
    const plan = {
      seed,
      forMs: sized(20_000, MINUTES * 60_000),
      most: sized(10, Infinity),
      roundMs: sized(20_000, 240_000),
    }
    const report = await soak(stage, plan, (line) => console.info(line))
    tallySoak(report)
    console.info(JSON.stringify({ ...report, refusedStarts: stage.refusedStarts }, null, 2))
    expect(report.lost).toEqual([])
    expect(report.doubled).toEqual([])
  },
)

/** Losses, duplicates and bytes belong to all faults together. */
function tallySoak({ faults, bytes, lost, doubled }: SoakReport): void {
  for (const { name, times, sigkills } of faults) tally({ fault: name, times, sigkills })
  tally({ fault: 'all of them at once (the soak)', times: 0, bytes, lost: lost.length, doubled: doubled.length })
}
