import { Plus } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { shown } from '../../ui/hostile-text.ts'
import { PanelMessage } from '../../ui/panel-message.tsx'

/** The board of a project that has nothing to do yet. */
export const NoBeads = ({ project, onNew }: { project: string; onNew: () => void }) => (
  <PanelMessage title="This project has no beads yet">
    <p>A bead is one task: a title, and what should be different when it is done.</p>
    <Button look="primary" icon={<Plus size={16} strokeWidth={1.5} aria-hidden />} onClick={onNew}>
      New bead
    </Button>
    <p>Or in a terminal:</p>
    <pre>{`beadloom beads create "Describe what should change" -p ${shown(project)}`}</pre>
  </PanelMessage>
)
