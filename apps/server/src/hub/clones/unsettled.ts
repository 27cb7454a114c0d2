import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/*
 * A clone is made before its project is in the store, and removed after it. If the server dies in between, nobody would
 * know of the clone, and another project with its name would find this one's branches.
 */

/** A file with the project's id, in a clone that may belong to no project. */
const MARK = 'unsettled'

export async function markUnsettled(gitDir: string, project: string): Promise<void> {
  await mkdir(gitDir, { recursive: true, mode: 0o700 })
  await writeFile(join(gitDir, MARK), project)
}

export const markSettled = (gitDir: string): Promise<void> => rm(join(gitDir, MARK), { force: true })

/** Removes marked clones that belong to no project, and takes the mark from the others. */
export async function dropUnsettled(folder: string, isProject: (id: string) => boolean): Promise<void> {
  for (const name of await readdir(folder)) {
    const gitDir = join(folder, name)
    const project = await readFile(join(gitDir, MARK), 'utf8').catch(() => null)
    if (project === null) continue
    if (isProject(project)) await markSettled(gitDir)
    else await rm(gitDir, { recursive: true, force: true })
  }
}
