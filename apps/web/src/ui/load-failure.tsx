import { Button } from './button.tsx'
import { PanelMessage } from './panel-message.tsx'
import { shown } from './text/hostile-text.ts'

type Props = { what: string; error: Error; onRetry: () => void; alone?: boolean }

/** `what` could not be loaded, and why. */
export const LoadFailure = ({ what, error, onRetry, alone = false }: Props) => (
  <PanelMessage title={`${what} could not be loaded`} role="alert" alone={alone}>
    <p>{shown(error.message)}</p>
    <Button onClick={onRetry}>Try again</Button>
  </PanelMessage>
)
