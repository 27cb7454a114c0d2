import { stat, writeFile } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import type { ProjectView } from '@beadloom/core/api/api.ts'
import type { EnvironmentView } from '@beadloom/core/api/environment-api.ts'
import { CliError } from '../exit-code.ts'

const FILE = 'beadloom.json'

/**
 * Writes the proposal into the project's working tree, for a person to look at and to commit. A file that is there is never
 * touched. Returns its path. Throws a `CliError` that says what to do instead.
 */
export async function writeProposal(
  { id, source }: Pick<ProjectView, 'id' | 'source'>,
  { configured, proposal }: Pick<EnvironmentView, 'configured' | 'proposal'>,
): Promise<string> {
  if (configured) throw new CliError(`${id} has a ${FILE} already: change that. Nothing was written.`)
  if (Object.keys(proposal.config).length === 0)
    throw new CliError(`there is nothing to propose for ${id}: it runs as it is. Nothing was written.`)
  const redirect = `beadloom environment ${id} --json | jq .proposal.config > ${FILE}`
  if (!(await isWorkingTree(source)))
    throw new CliError(`${id} has no working tree on this machine. In one of yours: ${redirect}`)
  const path = join(source, FILE)
  try {
    await writeFile(path, `${JSON.stringify(proposal.config, null, 2)}\n`, { flag: 'wx' })
    return path
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new CliError(`${path} is there already. Commit it, or compare: ${redirect}`)
    throw new CliError(`${path} could not be written (${code ?? String(error)})`)
  }
}

const isWorkingTree = async (source: string): Promise<boolean> =>
  isAbsolute(source) &&
  stat(join(source, '.git')).then(
    () => true,
    () => false,
  )
