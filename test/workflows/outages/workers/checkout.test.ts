import { endsAsWithWorkers } from '../../../support/fixtures/outages.ts';

endsAsWithWorkers('a checkout that is paid by PIX');
