import { randomUUID } from 'node:crypto'
import { lstat, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { EnvironmentView } from '@beadloom/core/api/projects/environment-api.ts'
import { keysIn, mergedText, unsaid } from '@beadloom/core/project/merge-proposal.ts'
import { parseProjectConfig } from '@beadloom/core/project/project-config.ts'
import { jsonProblem } from '@beadloom/core/text/json-problem.ts'
import { ConfigError } from '@beadloom/core/settings/config-error.ts'
import { CliError } from '../exit-code.ts'

const FILE = 'beadloom.json'
const MOST_BYTES = 1024 * 1024

/** `added`: the written keys. */
export type Written = { path: string; added: string[] }

/**
 * Writes the proposal into the project's working tree, for a person to review and commit. An existing file keeps its
 * settings, and gets the missing ones. Throws a `CliError` that says what to do instead.
 */
export async function writeProposal(
  { id, source }: Pick<ProjectView, 'id' | 'source'>,
  { configured, proposal }: Pick<EnvironmentView, 'configured' | 'proposal'>,
): Promise<Written> {
  if (Object.keys(proposal.config).length === 0) throw new CliError(nothingToWrite(id, configured, proposal.open))
  if (!(await isWorkingTree(source))) {
    const printed = `beadloom environment ${id} --json | jq .proposal.config`
    // A redirect would replace the file that is there.
    const how = configured
      ? `Add to the ${FILE} in one of yours what this prints: ${printed}`
      : `In one of yours: ${printed} > ${FILE}`
    throw new CliError(`${id} has no working tree on this machine. ${how}`)
  }
  const path = join(source, FILE)
  const text = await textAt(path)
  if (text === null) {
    if (configured)
      throw new CliError(
        `${path} is on the base branch, but not in your working tree: check it out. Nothing was written.`,
      )
    await placed(path, `${JSON.stringify(proposal.config, null, 2)}\n`)
    return { path, added: Object.keys(proposal.config) }
  }
  const keys = keysIn(text)
  if (keys === null) {
    const wrong = jsonProblem(text)
    const what = wrong === null ? 'is not a JSON object' : `is not JSON (${wrong})`
    throw new CliError(`${path} ${what}: correct it. Nothing was written.`)
  }
  const { config } = unsaid(proposal, keys)
  const added = Object.keys(config)
  if (added.length === 0)
    throw new CliError(`${path} already says everything that would be proposed. Nothing was written.`)
  const merged = mergedText(text, config)
  refuseUnfit(path, merged)
  await placed(path, merged)
  return { path, added }
}

function nothingToWrite(id: string, configured: boolean, open: readonly string[]): string {
  if (open.length > 0) return `there is nothing to write for ${id}: the rest is up to you. ${open.join(' ')}`
  return configured
    ? `${FILE} of ${id} already says everything that would be proposed. Nothing was written.`
    : `there is nothing to propose for ${id}: it runs as it is. Nothing was written.`
}

/** The file's text; null if there is none. A link may lead anywhere, so it is refused. */
async function textAt(path: string): Promise<string | null> {
  try {
    const found = await lstat(path)
    if (!found.isFile() || found.size > MOST_BYTES)
      throw new CliError(`${path} is not a file that Beadloom can change. Nothing was written.`)
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error instanceof CliError ? error : notDone(path, 'read', error)
  }
}

/** Refuses a file that conflicts with the additions, or is wrong already. */
function refuseUnfit(path: string, text: string): void {
  try {
    parseProjectConfig(text, path)
  } catch (error) {
    throw error instanceof ConfigError ? new CliError(`${error.message}\nNothing was written.`) : error
  }
}

/** Replaces the file in one step: a reader finds the old text or the new one. */
async function placed(path: string, text: string): Promise<void> {
  const beside = `${path}.${randomUUID()}`
  try {
    await writeFile(beside, text, { flag: 'wx' })
    await rename(beside, path)
  } catch (error) {
    await rm(beside, { force: true })
    throw notDone(path, 'written', error)
  }
}

const notDone = (path: string, what: string, error: unknown): CliError =>
  new CliError(`${path} could not be ${what} (${(error as NodeJS.ErrnoException).code ?? String(error)})`)

const isWorkingTree = async (source: string): Promise<boolean> =>
  isAbsolute(source) &&
  stat(join(source, '.git')).then(
    () => true,
    () => false,
  )
