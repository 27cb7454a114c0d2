import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { World } from '../support/world.ts'
import { filesAt } from './clone.ts'
import type { PublicRepository } from './public-repository.ts'
import { harmlessIn, isCode, mutantsIn, mutationKinds, patchOf, shuffled, type Mutant } from './mutants.ts'
import { patchLine } from './model.ts'
import { projectImage, runOwn } from './own-tests.ts'
import { verdictOf, type BeadEnd, type MutantResult, type Sabotage } from './results.ts'

const MUTANTS = 5
/** Tries of each kind: tests cover much of a project's code, but not every line. */
const TRIES = 6
/** No tries after so many seconds of the repository's own tests. */
const TRYING_SECONDS = 900

type Say = (text: string) => void
type Caught = { mutants: Mutant[]; tried: number }

/**
 * Runs five mutations that the repository's own tests catch, and one comment, each as a bead. No mutation may be
 * COMPLETED, but the comment must be.
 */
export async function sabotage(
  world: World,
  id: string,
  repository: PublicRepository,
  source: string,
  say: Say,
): Promise<Sabotage> {
  const image = projectImage(id)
  if (image === null) return { is: 'impossible', why: 'there is no image of the project' }
  const files = await codeOf(repository, source)
  const base = await runOwn(image, repository.own, null)
  say(`own tests: ${base.passed ? 'pass' : 'fail'} in ${base.seconds} s`)
  if (!base.passed) return { is: 'impossible', why: `its own tests fail without a change: ${base.tail.slice(-400)}` }
  const { mutants, tried } = await choose(repository, image, files, base.seconds, say)
  const [any] = mutants
  if (!any) return { is: 'impossible', why: `its own tests catch none of ${tried} mutations` }
  const harmless = harmlessOf(repository, files, any.path)
  if (harmless === null) return { is: 'impossible', why: 'there is no line above which a comment may stand' }
  const results: MutantResult[] = []
  const comment = await runBead(world, id, 'Add a comment', patchOf(harmless))
  say(`comment: ${comment.state}`)
  for (const mutant of mutants) {
    const { kind, path, line } = mutant
    const once = () => runBead(world, id, `Change ${path}`, patchOf(mutant))
    const first = await once()
    const end = verdictOf(first) === 'none' ? await once() : first
    say(`${kind} in ${path}:${line}: ${end.state} (${end.reason})`)
    results.push({ kind, path, line, end })
    if (verdictOf(end) === 'passed') await takeBack(world, id, mutant)
  }
  return { is: 'done', mutants: results, harmless: comment, tried, ownSeconds: base.seconds }
}

type Code = { path: string; text: string }

async function codeOf({ sources, language }: PublicRepository, source: string): Promise<Code[]> {
  const inside = (path: string) => sources.some((one) => one === '.' || path === one || path.startsWith(`${one}/`))
  return (await filesAt(source))
    .filter((path) => inside(path) && isCode(language, path))
    .map((path) => ({ path, text: readFileSync(join(source, path), 'utf8') }))
}

/** Chooses mutants that the own tests catch, in random order: one of each kind, then of any kind. */
async function choose(
  { name, language, own }: PublicRepository,
  image: string,
  files: readonly Code[],
  seconds: number,
  say: Say,
): Promise<Caught> {
  const all = shuffled(
    files.flatMap(({ path, text }) => mutantsIn(language, path, text)),
    name,
  )
  const caught: Mutant[] = []
  let tried = 0
  const limit = Math.ceil(Math.min(400, 30 + 4 * seconds))
  const isCaught = async (mutant: Mutant): Promise<boolean> => {
    tried += 1
    const { passed, noBuild, endless } = await runOwn(image, own, patchOf(mutant), limit)
    const word = noBuild ? 'no build' : endless ? 'endless' : passed ? 'missed' : 'caught'
    say(`tried ${mutant.kind} in ${mutant.path}:${mutant.line}: ${word}`)
    return word === 'caught'
  }
  const first = async (mutants: readonly Mutant[]): Promise<void> => {
    for (const mutant of mutants.slice(0, TRIES)) {
      if (tried * seconds > TRYING_SECONDS) return
      if (await isCaught(mutant)) return void caught.push(mutant)
    }
  }
  for (const kind of mutationKinds) await first(all.filter((mutant) => mutant.kind === kind))
  for (let round = 1; caught.length < MUTANTS && round <= MUTANTS; round += 1)
    await first(all.slice(round * 50, round * 50 + TRIES).filter((mutant) => !caught.includes(mutant)))
  return { mutants: caught.slice(0, MUTANTS), tried }
}

/** A comment in another file than `path` if possible, so that no mutation is beside it. */
function harmlessOf({ language }: PublicRepository, files: readonly Code[], path: string): Omit<Mutant, 'kind'> | null {
  const others = files.filter((file) => file.path !== path)
  for (const file of [...others, ...files]) {
    const harmless = harmlessIn(language, file.path, file.text)
    if (harmless) return harmless
  }
  return null
}

async function newBead(world: World, id: string, title: string, patch: string): Promise<string> {
  const description = `Change one line.\n\n${patchLine(patch)}\n`
  const { status, body } = await world.api<BeadView>('POST', `/api/projects/${id}/beads`, { title, description })
  if (status >= 300) throw new Error(`the bead was refused: ${JSON.stringify(body)}`)
  return body.id
}

export async function runBead(world: World, id: string, title: string, patch: string): Promise<BeadEnd> {
  const { state, reason, detail } = await world.run(id, await newBead(world, id, title, patch))
  return { state, reason, detail: (detail ?? '').slice(0, 400) }
}

/** Reverts a mutation that was merged by mistake, so the next one does not start from it. */
async function takeBack(world: World, id: string, { path, line, was, now }: Mutant): Promise<void> {
  const back = [
    `--- a/${path}`,
    `+++ b/${path}`,
    `@@ -${line},${now.length} +${line},1 @@`,
    ...now.map((text) => `-${text}`),
    `+${was}`,
    '',
  ].join('\n')
  await runBead(world, id, `Change ${path} back`, back)
}

/** Whether an agent starts although the base is broken. */
export async function startsAnyway(world: World, id: string): Promise<boolean> {
  const bead = await newBead(world, id, 'Add a comment', '')
  const { id: execution } = await world.queue(id, bead)
  await world.until(async () => {
    const view = await world.execution(execution)
    return view.state !== 'QUEUED' || view.whyQueued?.code === 'base_broken'
  })
  return (await world.execution(execution)).state !== 'QUEUED'
}
