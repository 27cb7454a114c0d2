import { access, constants, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { usualSignature } from '@beadloom/core/records/identity.ts'
import { HubError } from '../ports/hub.ts'
import type { Clock } from '../process/clock.ts'
import type { Signing } from '../process/settings/signing-settings.ts'
import { EMPTY_TREE } from './git/git-flags.ts'
import { Git } from './git/git.ts'
import { signerOf } from './git/signer.ts'
import { TrackerTree } from './tracker/tracker-tree.ts'

type Person = Readonly<Record<string, string | undefined>>

/** Signs a commit that is thrown away. Null: signing works; else a sentence that says what to do. */
export async function signingProblem(signing: Signing, env: Person, clock: Clock): Promise<string | null> {
  const { format, key } = signing
  if (format === 'ssh') {
    const code = await access(key, constants.R_OK).then(
      () => null,
      (error: NodeJS.ErrnoException) => error.code ?? error.message,
    )
    if (code !== null)
      return `the key ${key} ${code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`}: correct "signing" in config.json`
  }
  const folder = await mkdtemp(join(tmpdir(), 'beadloom-signing-'))
  try {
    const settings = { binary: 'git', home: folder, searchPath: env['PATH'] ?? '', cwd: folder, clock }
    const git = new Git(settings, signerOf(signing, env))
    const gitDir = join(folder, 'try.git')
    await git.run({ args: ['init', '--quiet', '--bare', '--template=', gitDir] })
    await new TrackerTree({ git, gitDir }).commit(EMPTY_TREE, [], 'A try', { clock, by: usualSignature })
    return null
  } catch (error) {
    if (!(error instanceof HubError)) throw error
    return error.message
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
