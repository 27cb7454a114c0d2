import { Component } from 'react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { PanelMessage } from './panel-message.tsx'

type Props = { children: ReactNode; what: string }

/** A panel that breaks says so itself; the rest of the screen keeps working. */
export class ErrorBoundary extends Component<Props, { error: Error | null }> {
  override state: { error: Error | null } = { error: null }

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === null) return this.props.children
    return (
      <PanelMessage title={`${this.props.what} could not be shown`} role="alert">
        <p>{error.message}</p>
        <Button onClick={() => this.setState({ error: null })}>Try again</Button>
        <Button look="quiet" onClick={() => void navigator.clipboard.writeText(`${error.stack ?? error.message}`)}>
          Copy details
        </Button>
      </PanelMessage>
    )
  }
}
