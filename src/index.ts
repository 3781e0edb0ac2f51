import { app } from './http/app.ts';

export { OrgObject } from './org/org-object.ts';
export { RunObject } from './run/run-object.ts';
export { SearchObject } from './search/search-object.ts';
export { SessionObject } from './session/session-object.ts';

export default app;
