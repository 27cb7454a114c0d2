import { isToken } from '../../forge/forge-file.ts'
import { CliError, exitCode } from '../exit-code.ts'
import { readHidden, type Keyboard } from '../terminal/read-hidden.ts'

/** A token from standard input. */
export async function readToken(stdin: Keyboard, prompt: string, show?: (text: string) => void): Promise<string> {
  const token = await readHidden(stdin, prompt, show)
  if (token === '') throw new CliError('standard input has no token. Nothing was changed.', exitCode.usage)
  if (isToken(token)) return token
  throw new CliError(
    'this is not a token: it is too long, or contains a space, a line break or an accent. Nothing was changed.',
    exitCode.usage,
  )
}
