import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describeIssue } from '@beadloom/core/settings/config-error.ts'
import { z } from 'zod'

const Turn = z.strictObject({
  /** The assistant's text. */
  say: z.string().max(100_000).optional(),
  calls: z
    .array(z.strictObject({ tool: z.string().min(1).max(64), arguments: z.record(z.string(), z.unknown()) }))
    .max(20)
    .optional(),
  /** The answer to a request for a document (`response_format`). */
  document: z.record(z.string(), z.unknown()).optional(),
  /** Pause before the answer, so that people can follow. Up to an hour, for tests of slow models. */
  delayMs: z.int().min(0).max(3_600_000).optional(),
  /** Answers with this error instead. The script does not advance, because no assistant message is added. */
  fail: z.strictObject({ status: z.int().min(400).max(599), message: z.string().min(1).max(2000) }).optional(),
})

const Turns = z.array(Turn).min(1).max(500)

const Attempts = z
  .array(z.strictObject({ turns: Turns }))
  .min(1)
  .max(10)

/** `turns` is short for a single attempt. */
const Script = z
  .strictObject({
    attempts: Attempts.optional(),
    turns: Turns.optional(),
    /** Played instead when the person who started the execution gave the agent a note, whatever it says. */
    noted: z.strictObject({ attempts: Attempts }).optional(),
    /** False: requests for a document are refused, as by servers without structured output. */
    structuredOutput: z.boolean().optional(),
  })
  .refine((script) => (script.attempts === undefined) !== (script.turns === undefined), 'give "attempts" or "turns"')

const ScenarioFile = z.strictObject({
  $schema: z.string().optional(),
  name: z.string(),
  about: z.string().min(1).max(2000),
  /** By bead id. */
  beads: z.record(z.string(), Script),
  /** By title: for beads that are filed later, whose ids are not known beforehand. */
  titles: z.record(z.string(), Script).optional(),
  /** For a bead of the scenario that has been completed before: its own script fits only the branch it was made for. */
  again: Script.optional(),
  /** For every other bead. */
  otherwise: Script.optional(),
})

export type Turn = z.infer<typeof Turn>
export type Script = z.infer<typeof Script>
export type Scenario = z.infer<typeof ScenarioFile>

/** A recording of a few beads is tens of kilobytes. */
const LARGEST_SCENARIO_BYTES = 4 * 1024 ** 2

export type LoadedScenario = { scenario: Scenario } | { problem: string }

/** Reads and checks `<folder>/<name>.json`; `problem` lists everything that is wrong with it, in one sentence. */
export async function loadScenario(folder: string, name: string): Promise<LoadedScenario> {
  if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(name)) {
    return { problem: `"${name.slice(0, 63)}" is not a scenario name: use lower-case letters, digits and hyphens` }
  }
  const file = `${name}.json`
  try {
    const path = join(folder, file)
    const { size } = await stat(path)
    if (size > LARGEST_SCENARIO_BYTES) return { problem: `scenario ${file} is too large (${size} bytes)` }
    return parseScenario(await readFile(path, 'utf8'), name)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT')
      return { problem: `there is no scenario "${name}" (${file}): check "scenario" in beadloom.json` }
    return { problem: `scenario ${file} cannot be read (${code ?? 'unknown error'})` }
  }
}

function parseScenario(text: string, name: string): LoadedScenario {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return {
      problem: `scenario ${name}.json is not JSON (${error instanceof Error ? error.message : 'no reason given'})`,
    }
  }
  const parsed = ScenarioFile.safeParse(value)
  const problems = parsed.success ? [] : parsed.error.issues.map(describeIssue)
  if (parsed.success && parsed.data.name !== name) problems.push(`"name" is "${parsed.data.name}", not "${name}"`)
  if (!parsed.success || problems.length > 0) return { problem: `scenario ${name}.json: ${problems.join('; ')}` }
  return { scenario: parsed.data }
}

/** Finds a bead's script. `title`: the title in the prompt, or null. `completed`: the bead has been done before. */
export function scriptFor(
  { beads, titles = {}, again, otherwise }: Scenario,
  bead: string,
  title: string | null,
  completed = false,
): Script | null {
  if (completed && again && isWork(bead)) return again
  if (Object.hasOwn(beads, bead)) return beads[bead] ?? null
  if (title !== null && Object.hasOwn(titles, title)) return titles[title] ?? null
  return otherwise ?? null
}

/** Reviewers, architects and sub-agents have a name in front, phases one behind; they can be asked again unchanged. */
const isWork = (bead: string): boolean => !bead.includes(':')

/** The turns of one attempt (from 1); attempts beyond the script repeat its last one. */
export function turnsFor({ attempts: all, turns, noted }: Script, attempt: number, hasNote: boolean): Turn[] {
  const attempts = (hasNote ? noted?.attempts : undefined) ?? all ?? [{ turns: turns ?? [] }]
  return attempts[Math.min(attempt, attempts.length) - 1]?.turns ?? []
}
