import { Link } from '@tanstack/react-router'
import { usePageTitle } from '../ui/page-title.ts'
import { PanelMessage } from '../ui/panel-message.tsx'

export function NotFoundPage() {
  usePageTitle('Page not found')
  return (
    <PanelMessage title="Page not found" alone>
      <Link to="/">Go to the board</Link>
    </PanelMessage>
  )
}
