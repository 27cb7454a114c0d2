/** Quotes any text as one word of a shell command line. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** A path that cannot be taken for an option. */
const file = (path: string): string => quoted(path.startsWith('-') ? `./${path}` : path)

export function readCommand(path: string, first: number | null, count: number | null): string {
  if (first === null && count === null) return `cat ${file(path)}`
  const from = first ?? 1
  return `sed -n '${from},${count === null ? '$' : from + count - 1}p' ${file(path)}`
}

export function writeCommand(path: string, content: string): string {
  const folder = path.includes('/') ? `mkdir -p ${file(path.slice(0, path.lastIndexOf('/')) || '/')} && ` : ''
  return `${folder}printf '%s' ${quoted(content)} > ${file(path)}`
}

/**
 * The command nearest to the built-in `search`: grep's expressions are not JavaScript's, and it also searches ignored
 * files.
 */
export function searchCommand(args: Record<string, unknown>): string {
  const { pattern, path, glob, literal, ignore_case: ignoreCase, context, max_results: most } = args
  const words = [
    `grep -rnI${ignoreCase === true ? 'i' : ''}${literal === true ? 'F' : 'E'} --exclude-dir=.git`,
    ...(typeof glob === 'string' ? [`--include=${quoted(glob.slice(glob.lastIndexOf('/') + 1))}`] : []),
    ...(typeof context === 'number' ? [`-C ${context}`] : []),
    `-e ${quoted(typeof pattern === 'string' ? pattern : '')}`,
    file(typeof path === 'string' && path !== '' ? path : '.'),
  ]
  return `${words.join(' ')} | head -n ${typeof most === 'number' ? most : 100}`
}

/**
 * Replaces a passage that must be there exactly once, as `edit_file` does. It uses awk, which every image has; python,
 * perl and node may be missing. The texts go through its environment, where it interprets no escapes.
 */
export function editCommand(path: string, before: string, after: string): string {
  const [from, old, fresh] = [file(path), quoted(before), quoted(after)]
  // The x keeps the shell from removing line ends. No file in between: agents refuse commands with `rm -f` in them.
  return (
    `edited=$(OLD=${old} NEW=${fresh} ENDS=$(tail -c 1 ${from} | wc -l) awk '${EDIT}' < ${from} && printf x) && ` +
    `printf '%s' "\${edited%x}" > ${from}`
  )
}

const EDIT = `
  { text = text between $0; between = "\\n" }
  END {
    if (ENVIRON["ENDS"] + 0) text = text "\\n"
    old = ENVIRON["OLD"]
    at = index(text, old)
    if (!at || index(substr(text, at + 1), old)) {
      print "the old text is not there exactly once" > "/dev/stderr"
      exit 1
    }
    ORS = ""
    print substr(text, 1, at - 1) ENVIRON["NEW"] substr(text, at + length(old))
  }
`
