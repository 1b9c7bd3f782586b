import { endsAsWithoutOutages } from '../../support/fixtures/outages.ts';

endsAsWithoutOutages('a cycle that is paid by PIX');
