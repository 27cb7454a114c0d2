import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { useNavigate } from '@tanstack/react-router'
import { pauseProject, resumeProject, syncProject } from '../../api/endpoints.ts'
import type { PaletteItem } from '../../components/palette/palette-items.ts'
import type { KeyBinding } from '../../ui/keys/keys.ts'
import { useRefusal } from '../../ui/allowed.ts'
import { focusPage } from '../../ui/focus-page.ts'
import { nextTheme } from '../../ui/theme.ts'
import { toast, toastError } from '../../ui/toast.tsx'

/** A layer above the page; one at a time. */
export type Layer = 'keys' | 'palette' | 'inbox' | 'new-bead' | 'pull-request'

/** A command of the shell: the key sheet, the palette and the menu of small screens read the same table. */
export type ShellCommand = {
  id: string
  does: string
  /** More words that find it. */
  also: string
  keys?: string
  run: () => void
}

type Where = { project: string | null; view: ProjectView | undefined; show: (layer: Layer) => void }

export function useShellCommands({ project, view, show }: Where): ShellCommand[] {
  const goTo = useNavigate()
  const mayRun = useRefusal('runner') === null
  const navigate: typeof goTo = (to) => {
    focusPage()
    return goTo(to)
  }
  const general: ShellCommand[] = [
    {
      id: 'setup',
      does: 'Go to setup and all projects',
      also: 'new add project doctor',
      keys: 'g a',
      run: () => void navigate({ to: '/setup' }),
    },
    {
      id: 'system',
      does: 'Go to server and connection',
      also: 'system status health docker containers slots disk diagnostics doctor checks',
      keys: 'g c',
      run: () => void goToSystem(navigate, project),
    },
    {
      id: 'theme',
      does: 'Change the theme: system, light, dark',
      also: 'colour night',
      keys: 't d',
      run: () => toast(`Theme: ${nextTheme()}`),
    },
    { id: 'link', does: 'Copy a link to this page', also: 'address url share', keys: 'y l', run: copyLink },
    { id: 'keys', does: 'Show keyboard shortcuts', also: 'keys help', keys: '?', run: () => show('keys') },
  ]
  if (project === null)
    return [
      { id: 'board', does: 'Go to the board', also: 'start home', keys: 'g b', run: () => void navigate({ to: '/' }) },
      ...general,
    ]
  const params = { project }
  return [
    {
      id: 'board',
      does: 'Go to the board',
      also: 'kanban home',
      keys: 'g b',
      run: () => void navigate({ to: '/p/$project', params }),
    },
    {
      id: 'activity',
      does: 'Go to the activity',
      also: 'loom history overnight merged morning since yesterday timeline',
      keys: 'g l',
      run: () => void navigate({ to: '/p/$project/activity', params }),
    },
    {
      id: 'graph',
      does: 'Go to the dependency graph',
      also: 'blockers waits critical path epic',
      keys: 'g d',
      run: () => void navigate({ to: '/p/$project/graph', params }),
    },
    {
      id: 'reviews',
      does: 'Go to the reviews',
      also: 'issues',
      keys: 'g r',
      run: () => void navigate({ to: '/p/$project/reviews', params }),
    },
    {
      id: 'budget',
      does: 'Go to the budget',
      also: 'tokens money cost price use spending burn forecast csv',
      keys: 'g u',
      run: () => void navigate({ to: '/p/$project/budget', params }),
    },
    {
      id: 'settings',
      does: 'Go to the settings',
      also: 'options limits model',
      keys: 'g s',
      run: () => void navigate({ to: '/p/$project/settings', params }),
    },
    {
      id: 'sync',
      does: 'Go to the sync status',
      also: 'tracker remote',
      keys: 'g y',
      run: () => void navigate({ to: '/p/$project/sync', params }),
    },
    {
      id: 'inbox',
      does: 'Open the inbox',
      also: 'notifications attention bell',
      keys: 'g n',
      run: () => show('inbox'),
    },
    ...(mayRun ? [newBead(show)] : []),
    ...(view === undefined || !mayRun ? [] : projectCommands(view, show)),
    ...general,
  ]
}

const newBead = (show: Where['show']): ShellCommand => ({
  id: 'new-bead',
  does: 'New bead',
  also: 'create add file task',
  run: () => show('new-bead'),
})

function projectCommands({ id, name, paused }: ProjectView, show: Where['show']): ShellCommand[] {
  return [
    {
      id: 'pull-request',
      does: 'Open a pull request',
      also: 'pr work branch forge',
      run: () => show('pull-request'),
    },
    paused
      ? {
          id: 'resume',
          does: `Resume ${name}`,
          also: 'unpause continue start',
          run: () => void told(resumeProject(id), `${name} resumed`),
        }
      : {
          id: 'pause',
          does: `Pause ${name}`,
          also: 'stop nothing new',
          run: () => void told(pauseProject(id), `${name} paused: nothing new starts`),
        },
    {
      id: 'sync-now',
      does: 'Sync with the tracker now',
      also: 'refresh reload beads',
      run: () => void told(syncProject(id), 'Synced'),
    },
  ]
}

async function told(work: Promise<unknown>, done: string): Promise<void> {
  try {
    await work
    toast(done)
  } catch (error) {
    toastError(error)
  }
}

/** The address contains everything on the page, so it is the link. */
function copyLink(): void {
  void navigator.clipboard.writeText(location.href).then(() => toast('Link copied'), toastError)
}

export const bindingsOf = (commands: readonly ShellCommand[]): KeyBinding[] =>
  commands.flatMap(({ keys, does, run }) => (keys === undefined ? [] : [{ keys: [keys], does, run }]))

export const paletteItemsOf = (commands: readonly ShellCommand[]): PaletteItem[] =>
  commands.map(({ id, does, also, keys, run }) => ({
    // All commands that lead to a page have keys that begin like this.
    kind: keys?.startsWith('g ') === true ? 'page' : 'action',
    key: id,
    name: '',
    title: does,
    also,
    ...(keys === undefined ? {} : { keys }),
    run,
  }))

/** Within a project, the bar keeps the project's navigation. */
export const goToSystem = (navigate: ReturnType<typeof useNavigate>, project: string | null): Promise<void> =>
  project === null ? navigate({ to: '/system' }) : navigate({ to: '/p/$project/system', params: { project } })
