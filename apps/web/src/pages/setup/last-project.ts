const KEY = 'beadloom.project'

export function lastProject(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

export function rememberProject(project: string): void {
  try {
    localStorage.setItem(KEY, project)
  } catch {
    // Without storage `/` shows the first project.
  }
}
