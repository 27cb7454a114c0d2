/**
 * The URL with which the person's editor opens a file, with `{project}`, `{path}` and `{line}`; kept in this browser.
 */
const KEY = 'beadloom.editor'
const MOST_LENGTH = 500

/** Schemes that a browser would run or show as a page of ours, and the disk, which no page may open. */
const REFUSED = /^(?:javascript|data|vbscript|blob|file|filesystem|about|view-source):/i

export function editorTemplate(): string {
  try {
    return (localStorage.getItem(KEY) ?? '').slice(0, MOST_LENGTH)
  } catch {
    return ''
  }
}

export function setEditorTemplate(template: string): void {
  try {
    if (template === '') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, template)
  } catch {
    // Without storage there is no link.
  }
}

/** The reason why a template makes no link; null: it makes one. */
export function templateProblem(template: string): string | null {
  if (template === '') return null
  if (template.length > MOST_LENGTH) return `At most ${MOST_LENGTH} characters.`
  if (!template.includes('{path}')) return 'Must contain {path}, which becomes the file’s path.'
  if (!/^[a-z][a-z0-9+.-]*:/i.test(template) || REFUSED.test(template))
    return 'Must start with an editor URL: vscode://file/…'
  return URL.canParse(fill(template, 'a', 'b', 1)) ? null : 'Not a valid URL.'
}

/** The link that opens a file; null if there is no template, or if the path leads out of the project. */
export function editorUrl(template: string, project: string, path: string, line: number): string | null {
  if (template === '' || templateProblem(template) !== null) return null
  const parts = path.split('/')
  // Paths that git would never check out are not opened either.
  if (parts.some((part) => part === '' || part === '.' || part === '..')) return null
  return fill(template, encodeURIComponent(project), parts.map(encodeURIComponent).join('/'), line)
}

const fill = (template: string, project: string, path: string, line: number): string =>
  template.replace(/\{(project|path|line)\}/g, (_, name: string) =>
    name === 'project' ? project : name === 'path' ? path : String(line),
  )
