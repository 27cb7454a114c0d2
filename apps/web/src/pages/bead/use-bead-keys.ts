import { getRouteApi } from '@tanstack/react-router'
import { tabWords } from './bead-tabs.tsx'
import type { Editing } from './edit/editable.tsx'
import type { LiveBead } from './use-bead.ts'
import { focusBox } from './messages/box-focus.ts'
import type { OpenTab } from './use-bead-tab.ts'
import type { ShownSession } from './use-shown-session.ts'
import { sayRefusal } from '../../components/bead/bead-actions.ts'
import type { BeadCommands } from '../../components/bead/bead-commands.tsx'
import { useKeys } from '../../ui/keys/keys.ts'
import { toast } from '../../ui/toast.tsx'

const route = getRouteApi('/p/$project/b/$bead')

type Actions = {
  live: LiveBead
  open: OpenTab
  shown: ShownSession
  commands: BeadCommands
  review(): void
  edit(field: Editing['field']): void
}

/** Every key of a bead's page. */
export function useBeadKeys({ live: { bead, newest }, open, shown, commands, review, edit }: Actions): void {
  const { project } = route.useParams()
  const navigate = route.useNavigate()
  /** The box is below the output of what runs, which may not be the output in sight. */
  const say = () => {
    const refusal = sayRefusal(newest)
    if (refusal !== null || newest === null) return toast(`Nothing can be said to its agent: ${refusal}`)
    const isInSight = open.tab === 'output' && (shown.picked === null || shown.picked.execution.id === newest.id)
    if (!isInSight) {
      const newestOutput = {
        tab: 'output',
        attempt: undefined,
        session: undefined,
        line: undefined,
        to: undefined,
      } as const
      void navigate({ search: (old) => ({ ...old, ...newestOutput }), replace: true })
    }
    focusBox(newest.id)
  }
  useKeys('Bead', [
    ...open.tabs.map((tab, index) => ({ keys: [String(index + 1)], does: tabWords[tab], run: () => open.open(tab) })),
    { keys: ['r'], does: 'Run the bead', run: () => bead && commands.run(bead, newest) },
    {
      keys: ['o'],
      does: 'Run the bead with a note or other options',
      run: () => bead && commands.runWithOptions(bead, newest),
    },
    { keys: ['R'], does: 'Review the bead', run: review },
    { keys: ['S'], does: 'Stop the bead', run: () => bead && commands.cancel(bead, newest) },
    { keys: ['P'], does: 'Pause the bead, or resume it', run: () => bead && commands.pause(bead, newest) },
    { keys: ['m'], does: 'Say something to its agent', run: say },
    { keys: ['t'], does: 'Change the title', run: () => edit('title') },
    {
      keys: ['b'],
      does: 'Change the description',
      run: () => {
        if (open.tabs.includes('info')) open.open('info')
        edit('description')
      },
    },
    {
      keys: ['Escape'],
      does: 'Back to the board',
      run: () => void navigate({ to: '/p/$project', params: { project } }),
    },
  ])
}
