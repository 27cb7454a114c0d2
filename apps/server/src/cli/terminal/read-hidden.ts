import { CliError, exitCode } from '../exit-code.ts'

export type Keyboard = AsyncIterable<Uint8Array | string> & { isTTY?: boolean; setRawMode?: (raw: boolean) => unknown }

/** No token is longer, so no more is read. */
const MOST_CHARACTERS = 4096

/** Reads a secret from standard input: the whole of a pipe, or one line that is typed or pasted and not shown. */
export async function readHidden(
  stdin: Keyboard,
  prompt: string,
  show: (text: string) => void = (text) => void process.stderr.write(text),
): Promise<string> {
  const text = stdin.isTTY === true ? await hiddenLine(stdin, prompt, show) : await wholeOf(stdin)
  return text.trim()
}

async function wholeOf(stdin: Keyboard): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of stdin) {
    text += typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true })
    if (text.length > MOST_CHARACTERS) break
  }
  return text
}

const ENTER = ['\r', '\n', '\x04']
const BACK = ['\x7f', '\b']
const INTERRUPT = '\x03'
const CLEAR = '\x15'

async function hiddenLine(stdin: Keyboard, prompt: string, show: (text: string) => void): Promise<string> {
  // Before the prompt: a terminal that still echoes would show the first keys of the answer.
  stdin.setRawMode?.(true)
  show(prompt)
  try {
    const decoder = new TextDecoder()
    let line: string[] = []
    for await (const piece of stdin) {
      for (const key of typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true })) {
        if (key === INTERRUPT) throw new CliError('interrupted: nothing was changed.', exitCode.interrupted)
        if (ENTER.includes(key)) return line.join('')
        if (BACK.includes(key)) line.pop()
        else if (key === CLEAR) line = []
        else if (line.length < MOST_CHARACTERS) line.push(key)
      }
    }
    return line.join('')
  } finally {
    stdin.setRawMode?.(false)
    show('\n')
  }
}
