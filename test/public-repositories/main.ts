import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeImages } from '../repositories/images.ts'
import { World } from '../support/world.ts'
import { cloneInto } from './clone.ts'
import { publicRepositories } from './list.ts'
import type { PublicRepository } from './public-repository.ts'
import { startModel } from './model.ts'
import { pagesOf } from './page.ts'
import { addProject, prove } from './prove.ts'
import { keepResult, readResults, type Result } from './results.ts'
import { sabotage, startsAnyway } from './sabotage.ts'

/*
 * Tries public repositories one after the other, as a newcomer does, and writes docs/repositories.md and its second
 * page. A repository with a result at its commit is left out, so an interrupted run continues.
 */

const DOCS = join(import.meta.dirname, '..', '..', 'docs')

function writePages(): void {
  for (const [path, text] of Object.entries(pagesOf(publicRepositories, readResults())))
    writeFileSync(join(DOCS, path), text)
}

const args = process.argv.slice(2)
const flags = new Set(args.filter((arg) => arg.startsWith('--')))
const words = args.filter((arg) => !arg.startsWith('--'))
/** On these, cleans up the started repository; the next run tries it again. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const

const clones = process.env['REPOSITORIES'] ?? null

const began = performance.now()
const say = (text: string): void =>
  console.error(`${Math.round((performance.now() - began) / 1000)}`.padStart(6) + ` s  ${text}`)

const isWanted = ({ name, commit }: PublicRepository): boolean => {
  if (words.length > 0 && !words.some((word) => name.includes(word))) return false
  const known = readResults()[name]
  return flags.has('--again') || known?.commit !== commit || (wantsSabotage(known) && !flags.has('--no-sabotage'))
}

const wantsSabotage = ({ base, sabotage: done }: Result): boolean =>
  done === null && (base === 'green' || base === 'red')

const idOf = ({ name }: PublicRepository, instance: string): string =>
  `${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-${instance.slice(-6).toLowerCase()}`

/** A run that only adds mutations proves the base again. Keeps the times of the run that proved it first. */
function timedFirst(name: string, result: Result): Result {
  const known = readResults()[name]
  if (flags.has('--again') || known?.commit !== result.commit || known.base !== result.base) return result
  const { at, spent, load } = known
  return { ...result, at, spent, load }
}

async function tryOne(repository: PublicRepository): Promise<void> {
  const { name, commit } = repository
  const model = await startModel()
  const env = { ...process.env, OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'none', BEADLOOM_MODEL: 'patches' }
  const world = await World.start({ flags: { slots: '2' }, env })
  const id = idOf(repository, world.server.store.instance)
  const cleanUp = async (): Promise<void> => {
    await world.stop()
    model.stop()
    removeImages(id)
  }
  const stop = (): void => void cleanUp().finally(() => process.exit(130))
  for (const signal of SIGNALS) process.once(signal, stop)
  try {
    const source = world.newFolder('clone')
    await cloneInto(source, repository, clones)
    await addProject(world, id, source)
    const proved = await prove(world, id, say)
    say(`${proved.base}: ${proved.sentence.slice(0, 300) || proved.found.join('; ')}`)
    const started = proved.base === 'broken' && (await startsAnyway(world, id))
    const result = timedFirst(name, { commit, at: new Date().toISOString(), ...proved, started, sabotage: null })
    keepResult(name, result)
    if (flags.has('--no-sabotage') || !wantsSabotage(result)) return
    keepResult(name, { ...result, sabotage: await sabotage(world, id, repository, source, say) })
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop)
    await cleanUp()
  }
}

if (!flags.has('--page')) {
  const wanted = publicRepositories.filter(isWanted)
  for (const [at, repository] of wanted.entries()) {
    // A parallel run may have done it.
    if (!flags.has('--again') && !isWanted(repository)) continue
    say(`── ${at + 1} of ${wanted.length}: ${repository.name} (${repository.shape})`)
    try {
      await tryOne(repository)
    } catch (error) {
      // Go on with the others. This one has no result, so the next run tries it again.
      say(`could not be tried: ${error instanceof Error ? error.message : String(error)}`)
      process.exitCode = 1
    }
    writePages()
  }
}
writePages()
