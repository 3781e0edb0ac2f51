import { app } from './http/app.ts';

export { OrgObject } from './org/org-object.ts';
export { RunObject } from './run/run-object.ts';

export default app;
